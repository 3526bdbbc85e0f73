import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** What a manifest says of a file beside it, so that a damaged copy is noticed before it is used. */
export interface DataFileEntry {
  readonly bytes: number;
  readonly crc32: string;
}

/** The data the local model needs is missing or damaged; `code` is stable. */
export class LocalModelError extends Error {
  override readonly name: string = 'LocalModelError';
  readonly code: 'DATA_MISSING' | 'DATA_CORRUPT';
  constructor(code: LocalModelError['code'], message: string, options?: ErrorOptions) {
    super(`${message}; ${wayOut}`, options);
    this.code = code;
  }
}

const wayOut =
  'reinstall `tincan-memory`, or choose another embedder (`none` searches by words alone)';

/** Reads a manifest: a JSON object with a `format` this version knows. */
export async function readManifest<T>(
  folder: URL,
  name: string,
  isValid: (value: unknown) => value is T,
): Promise<T> {
  const bytes = await readBytes(new URL(name, folder), name);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new LocalModelError('DATA_CORRUPT', `expected \`${name}\` to be JSON`, { cause });
  }
  if (isValid(value)) return value;
  throw new LocalModelError('DATA_CORRUPT', `\`${name}\` is not a manifest this version reads`);
}

/** Reads a data file and refuses it unless length and checksum are those of its manifest. */
export async function readDataFile(
  folder: URL,
  name: string,
  expected: DataFileEntry,
): Promise<Buffer> {
  const bytes = await readBytes(new URL(name, folder), name);
  if (bytes.length !== expected.bytes) {
    throw new LocalModelError(
      'DATA_CORRUPT',
      `expected \`${name}\` to hold ${expected.bytes} bytes, got ${bytes.length}`,
    );
  }
  const sum = crc32(bytes).toString(16).padStart(8, '0');
  if (sum !== expected.crc32) {
    throw new LocalModelError(
      'DATA_CORRUPT',
      `expected \`${name}\` to have the checksum \`${expected.crc32}\`, got \`${sum}\``,
    );
  }
  return bytes;
}

/** True for what a manifest may say of a file. */
export function isDataFileEntry(value: unknown): value is DataFileEntry {
  return (
    typeof value === 'object' &&
    value !== null &&
    'bytes' in value &&
    typeof value.bytes === 'number' &&
    'crc32' in value &&
    typeof value.crc32 === 'string'
  );
}

async function readBytes(url: URL, name: string): Promise<Buffer> {
  try {
    return await readFile(url);
  } catch (cause) {
    throw new LocalModelError('DATA_MISSING', `cannot read the model's \`${name}\``, { cause });
  }
}
