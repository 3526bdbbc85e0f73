import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32, inflateRawSync } from 'node:zlib';

/** Unpacks an archive as its directory, at the end of the file, describes it. */
export function unzip(archive: Buffer, folder: string): string[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const names: string[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength] = [
      archive.readUInt16LE(at + 28),
      archive.readUInt16LE(at + 30),
    ];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const content = inflateRawSync(archive.subarray(from, from + archive.readUInt32LE(at + 20)));
    const isWhole =
      crc32(content) === archive.readUInt32LE(at + 16) &&
      content.length === archive.readUInt32LE(at + 24);
    if (!isWhole) throw new Error(`${name} is damaged`);
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
    names.push(name);
    at += 46 + nameLength + extraLength;
  }
  return names;
}
