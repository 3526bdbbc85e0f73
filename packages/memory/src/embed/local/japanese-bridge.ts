import { type DataFileEntry, isDataFileEntry, readDataFile, readManifest } from './data-file.ts';

/** What `bridge.json` says of the dictionary beside it. */
export interface BridgeManifest {
  readonly format: 1;
  readonly words: number;
  /** Code units of all words together, and numbers of all glosses together. */
  readonly units: number;
  readonly glosses: number;
  readonly files: Readonly<Record<'bridge.bin', DataFileEntry>>;
}

/** A word found in a text: how long it is and where its glosses are. */
export interface BridgeHit {
  readonly length: number;
  readonly word: number;
}

/** Reads the description of the dictionary in `folder`. */
export function readBridgeManifest(folder: URL): Promise<BridgeManifest> {
  return readManifest(folder, 'bridge.json', isBridgeManifest);
}

/** Reads the dictionary itself. */
export async function readBridge(folder: URL, manifest: BridgeManifest): Promise<JapaneseBridge> {
  const bytes = await readDataFile(folder, 'bridge.bin', manifest.files['bridge.bin']);
  return new JapaneseBridge(bytes, manifest);
}

/**
 * Japanese words in sorted order with the word pieces of their English glosses. It is searched where
 * it lies: no object per word, so that a third of a million words cost no more than their bytes.
 */
export class JapaneseBridge {
  readonly #starts: Uint32Array;
  readonly #glossStarts: Uint32Array;
  readonly #units: Uint16Array;
  readonly #glosses: Uint16Array;

  constructor(bytes: Buffer, { words, units, glosses }: BridgeManifest) {
    const view = littleEndianReader(bytes);
    this.#starts = view.uint32(words + 1);
    this.#glossStarts = view.uint32(words);
    this.#units = view.uint16(units);
    this.#glosses = view.uint16(glosses);
  }

  /** The longest word that starts at `start` and ends before `end`. */
  longestMatch(text: string, start: number, end: number): BridgeHit | undefined {
    let low = 0;
    let high = this.#glossStarts.length;
    let hit: BridgeHit | undefined;
    for (let depth = 0; start + depth < end; depth++) {
      const unit = text.charCodeAt(start + depth);
      low = this.#bound(low, high, depth, unit);
      high = this.#bound(low, high, depth, unit + 1);
      if (low >= high) break;
      // Sorted order puts the word that ends here before all that go on.
      if (this.#lengthOf(low) === depth + 1) hit = { length: depth + 1, word: low };
    }
    return hit;
  }

  /** Word pieces of the glosses of a word, and how many glosses they come from. */
  glossesOf(word: number): { readonly count: number; readonly pieces: Uint16Array } {
    const at = this.#glossStarts[word] ?? 0;
    const head = this.#glosses[at] ?? 0;
    return { count: head >>> 8, pieces: this.#glosses.subarray(at + 1, at + 1 + (head & 0xff)) };
  }

  /** First word in [low, high) whose unit at `depth` is not below `unit`. */
  #bound(low: number, high: number, depth: number, unit: number): number {
    let from = low;
    let to = high;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#unitAt(middle, depth) < unit) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #unitAt(word: number, depth: number): number {
    if (depth >= this.#lengthOf(word)) return -1;
    return this.#units[(this.#starts[word] ?? 0) + depth] ?? -1;
  }

  #lengthOf(word: number): number {
    return (this.#starts[word + 1] ?? 0) - (this.#starts[word] ?? 0);
  }
}

/** Sections follow each other; views share the file's memory where the machine's byte order allows. */
function littleEndianReader(bytes: Buffer): {
  uint32(length: number): Uint32Array;
  uint16(length: number): Uint16Array;
} {
  const copy = new Uint8Array(bytes).buffer;
  let at = 0;
  return {
    uint32(length) {
      const section = new Uint32Array(copy, at, length);
      at += section.byteLength;
      return section;
    },
    uint16(length) {
      const section = new Uint16Array(copy, at, length);
      at += section.byteLength;
      return section;
    },
  };
}

function isBridgeManifest(value: unknown): value is BridgeManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { format, words, units, glosses, files } = value as Record<string, unknown>;
  if (format !== 1 || typeof words !== 'number') return false;
  if (typeof units !== 'number' || typeof glosses !== 'number') return false;
  if (typeof files !== 'object' || files === null) return false;
  return isDataFileEntry((files as Record<string, unknown>)['bridge.bin']);
}
