// A zip archive of a folder, as small as it needs to be: deflated files, no folders, the same bytes each time.

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

const VERSION = 20;
const UTF8 = 0x0800;
const DEFLATED = 8;
/** The first of January 1980, midnight: no archive can be older. */
const DATE = 0x0021;

/** Returns the bytes of an archive of everything in a folder, in the order of the names. */
export function zipFolder(folder) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const file of filesIn(folder)) {
    const name = Buffer.from(relative(folder, file).split(sep).join('/'));
    const content = readFileSync(file);
    const packed = deflateRawSync(content, { level: 9 });
    const facts = factsOf(content, packed, name);
    directory.push({ name, facts, offset });
    const local = [header(0x04034b50, 30, [[4, facts]]), name, packed];
    parts.push(...local);
    offset += local.reduce((sum, { length }) => sum + length, 0);
  }
  const central = directory.map(({ name, facts, offset: at }) => {
    const head = header(0x02014b50, 46, [[6, facts]]);
    head.writeUInt16LE(VERSION, 4);
    head.writeUInt32LE(at, 42);
    return Buffer.concat([head, name]);
  });
  const size = central.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...parts, ...central, endOf(central.length, size, offset)]);
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** What both headers of a file have in common. */
function factsOf(content, packed, name) {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION, 0);
  facts.writeUInt16LE(UTF8, 2);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DATE, 8);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(packed.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  return facts;
}

function header(signature, length, fields) {
  const head = Buffer.alloc(length);
  head.writeUInt32LE(signature, 0);
  for (const [at, bytes] of fields) bytes.copy(head, at);
  return head;
}

function endOf(count, size, offset) {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
