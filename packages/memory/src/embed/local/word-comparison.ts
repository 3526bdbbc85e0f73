import { quantize } from '../../kernel/quantize.ts';
import type { ScanKernel, ScanRows } from '../../kernel/scan-kernel.ts';

/** How many words of a question are compared. */
export const MAX_ASKED = 64;

/** A table of word-piece vectors in a kernel's memory. */
export interface PieceTable {
  readonly kernel: ScanKernel;
  readonly address: number;
  readonly pieces: number;
  readonly stride: number;
}

/** Compares word pieces with the words of a question, all of these in one step. */
export class WordComparison {
  readonly #table: PieceTable;
  readonly #codes: number;
  readonly #scales: number;
  readonly #out: number;
  /** Lengths of the pieces' vectors, those met so far. */
  readonly #lengths: Float32Array;
  #rows: ScanRows;
  #products: Float32Array = new Float32Array();

  /** Allocates all it will ever need: views of the kernel's memory stay valid. */
  constructor(table: PieceTable) {
    const { kernel, stride, pieces } = table;
    this.#table = table;
    this.#codes = kernel.allocate(MAX_ASKED * stride);
    this.#scales = kernel.allocate(MAX_ASKED * Float32Array.BYTES_PER_ELEMENT);
    this.#out = kernel.allocate(MAX_ASKED * Float32Array.BYTES_PER_ELEMENT);
    this.#lengths = new Float32Array(pieces);
    this.#rows = { codes: this.#codes, scales: this.#scales, count: 0, stride };
  }

  /** Takes the vectors of a question's words, {@link MAX_ASKED} at the most. */
  ask(vectors: readonly Float32Array[]): void {
    const { kernel, stride } = this.#table;
    const scales = new Float32Array(kernel.buffer, this.#scales, MAX_ASKED);
    for (const [i, vector] of vectors.entries()) {
      const { scale, values } = quantize(vector, stride);
      new Int8Array(kernel.buffer, this.#codes + i * stride, stride).set(values);
      scales[i] = scale;
    }
    const count = vectors.length;
    this.#rows = { codes: this.#codes, scales: this.#scales, count, stride };
    this.#products = new Float32Array(kernel.buffer, this.#out, count);
  }

  /** Cosines of a piece with the words asked for, in their order; absent where none is above `floor`. */
  cosines(piece: number, floor: number): Float32Array | undefined {
    const { kernel, address, stride } = this.#table;
    kernel.scan(this.#rows, address + piece * stride, this.#out);
    const length = this.#lengthOf(piece);
    const products = this.#products;
    for (let i = 0; i < products.length; i += 1) {
      if ((products[i] ?? 0) > floor * length) return products.map((each) => each / length);
    }
    return undefined;
  }

  #lengthOf(piece: number): number {
    const known = this.#lengths[piece] ?? 0;
    if (known > 0) return known;
    const { kernel, address, stride } = this.#table;
    let squares = 0;
    for (const value of new Int8Array(kernel.buffer, address + piece * stride, stride)) {
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    this.#lengths[piece] = length;
    return length;
  }
}
