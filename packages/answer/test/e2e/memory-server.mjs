// Stands in for a memory server: writes each note it is given to the file named on its command line.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(process.argv[2], `${JSON.stringify({ method, params })}\n`);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { id: 'n1' } })}\n`);
}
