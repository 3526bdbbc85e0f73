import { quantize } from '../kernel/quantize.ts';
import { codeStride, type ScanKernel } from '../kernel/scan-kernel.ts';
import { createScanKernel } from '../kernel/simd-kernel.ts';
import { type ScoredNote, TopNotes } from './top-notes.ts';

/** Rows of one block of codes, in memory as in the store. */
export const BLOCK_ROWS = 1_000;

/** Codes of up to {@link BLOCK_ROWS} notes as a store keeps them. A scale of 0 says the note is gone. */
export interface CodeBlock {
  readonly notes: Float64Array;
  readonly scales: Float32Array;
  readonly codes: Int8Array;
}

interface Block {
  readonly codes: number;
  readonly scales: number;
  count: number;
}

/**
 * The codes of one project's notes in one vector space, scanned whole for each question.
 * Scores are cosines to within the rounding of eight bits; the store rescores the few that matter.
 */
export class VectorIndex {
  readonly stride: number;
  readonly #kernel: ScanKernel;
  readonly #query: number;
  readonly #out: number;
  readonly #blocks: Block[] = [];
  readonly #notes: number[] = [];
  readonly #slots: Map<number, number> = new Map();
  readonly #free: number[] = [];
  #byteView: Int8Array = new Int8Array();
  #floatView: Float32Array = new Float32Array();

  constructor(dim: number, kernel: ScanKernel = createScanKernel()) {
    this.stride = codeStride(dim);
    this.#kernel = kernel;
    this.#query = kernel.allocate(this.stride);
    this.#out = kernel.allocate(BLOCK_ROWS * 4);
  }

  get size(): number {
    return this.#slots.size;
  }

  /** Rows held, live or not: what a scan costs. */
  get rows(): number {
    return this.#notes.length;
  }

  set(note: number, vector: Float32Array): void {
    const { scale, values } = quantize(vector, this.stride);
    // A vector of zeros is like nothing: scale 0 would read as removed, and removed is what it is.
    if (scale === 0) this.remove(note);
    else this.setCode(note, scale, values);
  }

  setCode(note: number, scale: number, code: Int8Array): void {
    const slot = this.#slots.get(note) ?? this.#free.pop() ?? this.#append();
    const block = this.#blockOf(slot);
    const row = slot % BLOCK_ROWS;
    this.#bytes().set(code, block.codes + row * this.stride);
    this.#floats()[block.scales / 4 + row] = scale;
    this.#notes[slot] = note;
    this.#slots.set(note, slot);
  }

  remove(note: number): void {
    const slot = this.#slots.get(note);
    if (slot === undefined) return;
    this.#floats()[this.#blockOf(slot).scales / 4 + (slot % BLOCK_ROWS)] = 0;
    this.#slots.delete(note);
    this.#notes[slot] = -1;
    this.#free.push(slot);
  }

  /** Takes a stored block over, a later row for the same note replacing an earlier one. */
  load(block: CodeBlock): void {
    const { notes, scales, codes } = block;
    if (this.#appendWhole(block)) return;
    for (const [row, note] of notes.entries()) {
      const scale = scales[row] ?? 0;
      const at = row * this.stride;
      if (scale === 0) this.remove(note);
      else this.setCode(note, scale, codes.subarray(at, at + this.stride));
    }
  }

  /** One pass over all codes; ask the result for the best or for single notes. */
  scan(query: Float32Array): VectorScores {
    const code = quantize(query, this.stride);
    this.#bytes().set(code.values, this.#query);
    const scores = new Float32Array(this.#notes.length);
    for (const [index, block] of this.#blocks.entries()) {
      this.#kernel.scan({ ...block, stride: this.stride }, this.#query, this.#out);
      const out = this.#out / 4;
      scores.set(this.#floats().subarray(out, out + block.count), index * BLOCK_ROWS);
    }
    for (let i = 0; i < scores.length; i += 1) scores[i] = (scores[i] ?? 0) * code.scale;
    return new VectorScores(scores, this.#notes, this.#slots);
  }

  /** Cosine of two notes to within the rounding of their codes; `undefined` where one has no vector. */
  cosine(one: number, other: number): number | undefined {
    const [a, b] = [this.#slots.get(one), this.#slots.get(other)];
    if (a === undefined || b === undefined) return undefined;
    const codes = this.#bytes();
    const [left, right] = [this.#codeAt(a), this.#codeAt(b)];
    let sum = 0;
    for (let i = 0; i < this.stride; i += 1)
      sum += (codes[left + i] ?? 0) * (codes[right + i] ?? 0);
    return sum * this.#scaleAt(a) * this.#scaleAt(b);
  }

  /** Up to `count` notes spread evenly over all. */
  sample(count: number): number[] {
    const step = Math.max(1, this.#notes.length / count);
    const picked: number[] = [];
    for (let slot = 0; slot < this.#notes.length; slot += step) {
      const note = this.#notes[Math.floor(slot)];
      if (note !== undefined && note !== -1) picked.push(note);
    }
    return picked;
  }

  #codeAt(slot: number): number {
    return this.#blockOf(slot).codes + (slot % BLOCK_ROWS) * this.stride;
  }

  #scaleAt(slot: number): number {
    return this.#floats()[this.#blockOf(slot).scales / 4 + (slot % BLOCK_ROWS)] ?? 0;
  }

  #append(): number {
    const slot = this.#notes.length;
    if (slot % BLOCK_ROWS === 0) this.#addBlock(0);
    this.#blockOf(slot).count += 1;
    this.#notes.push(-1);
    return slot;
  }

  /** A full block of notes not seen before lands as it is, without a look at each row. */
  #appendWhole({ notes, scales, codes }: CodeBlock): boolean {
    const isWhole = notes.length === BLOCK_ROWS && this.#notes.length % BLOCK_ROWS === 0;
    if (!isWhole || scales.includes(0) || notes.some((note) => this.#slots.has(note))) return false;
    if (new Set(notes).size !== BLOCK_ROWS) return false;
    const block = this.#addBlock(BLOCK_ROWS);
    this.#bytes().set(codes, block.codes);
    this.#floats().set(scales, block.scales / 4);
    for (const note of notes) {
      this.#slots.set(note, this.#notes.length);
      this.#notes.push(note);
    }
    return true;
  }

  #addBlock(count: number): Block {
    const scales = this.#kernel.allocate(BLOCK_ROWS * 4);
    const codes = this.#kernel.allocate(BLOCK_ROWS * this.stride);
    const block = { codes, scales, count };
    this.#blocks.push(block);
    return block;
  }

  // Views over the whole memory are kept: making one for every row costs more than the copy.
  #bytes(): Int8Array {
    if (this.#byteView.buffer !== this.#kernel.buffer) {
      this.#byteView = new Int8Array(this.#kernel.buffer);
    }
    return this.#byteView;
  }

  #floats(): Float32Array {
    if (this.#floatView.buffer !== this.#kernel.buffer) {
      this.#floatView = new Float32Array(this.#kernel.buffer);
    }
    return this.#floatView;
  }

  #blockOf(slot: number): Block {
    const block = this.#blocks[Math.floor(slot / BLOCK_ROWS)];
    if (block === undefined) throw new RangeError(`no block for slot ${slot}`);
    return block;
  }
}

/** How the cosines of one question lie among the notes of a project. */
export interface CosineSpread {
  readonly mean: number;
  readonly deviation: number;
}

/** What one scan found; valid until the index changes. */
export class VectorScores {
  readonly #scores: Float32Array;
  readonly #notes: readonly number[];
  readonly #slots: ReadonlyMap<number, number>;
  #hidden = 0;

  constructor(scores: Float32Array, notes: readonly number[], slots: ReadonlyMap<number, number>) {
    this.#scores = scores;
    this.#notes = notes;
    this.#slots = slots;
  }

  of(note: number): number | undefined {
    const slot = this.#slots.get(note);
    return slot === undefined ? undefined : this.#scores[slot];
  }

  /** Leaves notes out of every answer: no comparison holds for their score. */
  hide(notes: Iterable<number>): void {
    for (const note of notes) {
      const slot = this.#slots.get(note);
      if (slot === undefined) continue;
      this.#scores[slot] = Number.NaN;
      this.#hidden += 1;
    }
  }

  /** Mean and deviation over all notes; `undefined` where there are none. */
  spread(): CosineSpread | undefined {
    const count = this.#slots.size - this.#hidden;
    if (count === 0) return undefined;
    let sum = 0;
    let squares = 0;
    // A row without a note scores 0, a hidden one counts as 0: neither adds anything.
    for (let slot = 0; slot < this.#scores.length; slot += 1) {
      const score = this.#scores[slot] || 0;
      sum += score;
      squares += score * score;
    }
    const mean = sum / count;
    return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean * mean)) };
  }

  /** The `count` best of all notes, best first. */
  best(count: number): ScoredNote[] {
    const top = new TopNotes(count);
    for (let slot = 0; slot < this.#scores.length; slot += 1) {
      const score = this.#scores[slot] ?? 0;
      if (score > top.floor && this.#notes[slot] !== -1) top.add(this.#notes[slot] ?? -1, score);
    }
    return top.sorted();
  }

  /** The `count` best among some notes, best first. */
  bestOf(notes: Iterable<number>, count: number): ScoredNote[] {
    const top = new TopNotes(count);
    for (const note of notes) {
      const score = this.of(note);
      if (score !== undefined && score > top.floor) top.add(note, score);
    }
    return top.sorted();
  }
}
