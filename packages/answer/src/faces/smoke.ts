import { type Framing, spawnServer } from 'tincan-wire';
import type { Environment } from '../config/environment-layer.ts';

/** How the smoke command starts its server. */
export interface SmokeOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Environment;
  readonly query: string;
  readonly print: (line: string) => void;
}

/** Runs `initialize`, `tools/list`, `tools/call` and `ping` in both framings; true when all went well. */
export async function smoke(options: SmokeOptions): Promise<boolean> {
  let isWell = true;
  for (const framing of ['header', 'line'] as const) {
    options.print(`${framing} framing`);
    isWell = (await smokeOne(framing, options)) && isWell;
  }
  return isWell;
}

async function smokeOne(framing: Framing, options: SmokeOptions): Promise<boolean> {
  const { command, args, env, query, print } = options;
  let isWell = true;
  const server = await spawnServer({ command, args, env, envPolicy: 'all', framing });
  server.on('stray', (text) => {
    isWell = false;
    print(`  stray output: ${text}`);
  });
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'tincan-answer smoke', version: '1' },
  };
  const calls: readonly (readonly [string, object])[] = [
    ['initialize', initialize],
    ['tools/list', {}],
    ['tools/call', { name: 'answer', arguments: { query } }],
    ['ping', {}],
  ];
  try {
    for (const [method, params] of calls) {
      try {
        const result = await server.request(method, params, { timeoutMs: 300_000 });
        print(`  ${method}: ${shorten(JSON.stringify(result))}`);
      } catch (error) {
        isWell = false;
        const data =
          error instanceof Error && 'data' in error ? ` ${JSON.stringify(error.data)}` : '';
        print(`  ${method}: failed: ${error instanceof Error ? error.message : error}${data}`);
      }
    }
  } finally {
    await server.close();
  }
  return isWell;
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
