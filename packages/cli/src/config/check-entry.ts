import { connect } from 'tincan-mcp';
import { version } from '../help/version.ts';
import type { ServerEntry } from './clients.ts';

/** Starts a server as a client would, from an entry of its configuration, and counts its tools. */
export async function checkEntry(entry: ServerEntry, cwd: string): Promise<number> {
  const client = await connect(
    { command: entry.command, args: [...entry.args], env: { ...entry.env }, cwd },
    { name: 'tincan', version: version(), timeoutMs: 60_000 },
  );
  try {
    return (await client.listTools()).length;
  } finally {
    await client.close();
  }
}
