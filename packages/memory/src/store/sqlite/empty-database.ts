/** Marks a file as ours: `tinc` in ASCII. */
export const APPLICATION_ID = 0x74696e63;

const PAGE_BYTES = 4096;

/**
 * The one page of a database without tables, in write-ahead mode and marked as ours; the fields are
 * those of https://sqlite.org/fileformat2.html. A store begins as this, so that no store is ever 0 bytes.
 */
export function emptyDatabase(): Buffer {
  const page = Buffer.alloc(PAGE_BYTES);
  page.write('SQLite format 3\0', 0, 'latin1');
  page.writeUInt16BE(PAGE_BYTES, 16);
  // Version 2 to write and to read is the write-ahead mode; then the fixed payload fractions.
  page.set([2, 2, 0, 64, 32, 32], 18);
  // Change counter, and the size in pages that is valid for it.
  page.writeUInt32BE(1, 24);
  page.writeUInt32BE(1, 28);
  page.writeUInt32BE(APPLICATION_ID, 68);
  page.writeUInt32BE(1, 92);
  // An empty leaf of the table of tables, whose content begins at the end of the page.
  page[100] = 13;
  page.writeUInt16BE(PAGE_BYTES, 105);
  return page;
}
