/** Length of what a row of a table of notes holds; SQLite knows it without reading the texts. */
export function noteBytes(table: string): string {
  const columns = ['text', 'tags', 'title', 'source', 'metadata'];
  return columns.map((name) => `coalesce(octet_length(${table}.${name}), 0)`).join(' + ');
}
