import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checks } from '../../packages/cli/src/check/examine.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Names of the members of an interface, or of the strings in a union, as the source has them. */
function namesIn(file: string, type: string): string[] {
  const source = read(`packages/${file.replace('/', '/src/')}`);
  const members = new RegExp(`interface ${type}\\b[^{]*\\{\\n(?<body>[\\s\\S]*?)\\n\\}`).exec(
    source,
  );
  if (members?.groups !== undefined) {
    const names = (members.groups['body'] ?? '').matchAll(/^ {2}(?:readonly )?(?<name>\w+)\??:/gm);
    return [...names].map(({ groups }) => groups?.['name'] ?? '');
  }
  const union = new RegExp(`${type}\\b[^']*(?<body>(?:'[^']+'\\s*\\|?\\s*)+);`).exec(source);
  const names = (union?.groups?.['body'] ?? '').matchAll(/'(?<name>[^']+)'/g);
  return [...names].map(({ groups }) => groups?.['name'] ?? '');
}

function codesIn(file: string): string[] {
  return [...read(file).matchAll(/: (?<code>-32\d{3}),/g)].map(
    ({ groups }) => groups?.['code'] ?? '',
  );
}

describe('the docs name everything there is', () => {
  it.each([
    ['wire/jsonrpc/peer.ts', 'LineOptions', 'packages/wire/README.md'],
    ['wire/stdio/serve-stdio.ts', 'ServeOptions', 'docs/processes.md'],
    ['wire/stdio/run-server.ts', 'RunOptions', 'docs/processes.md'],
    ['wire/stdio/spawn-server.ts', 'SpawnOptions', 'docs/processes.md'],
    ['wire/stdio/server-process.ts', 'ProcessOptions', 'docs/processes.md'],
    ['wire/stdio/server-process.ts', 'ShutdownTimes', 'docs/processes.md'],
    ['wire/stdio/connection.ts', 'ConnectionEvents', 'docs/processes.md'],
    ['wire/stdio/connection.ts', 'ConnectionRequestOptions', 'docs/jsonrpc.md'],
    ['wire/jsonrpc/outbound-calls.ts', 'RequestOptions', 'docs/jsonrpc.md'],
    ['wire/jsonrpc/peer.ts', 'PeerEvents', 'docs/jsonrpc.md'],
    ['wire/jsonrpc/peer.ts', 'readonly code', 'docs/jsonrpc.md'],
    ['wire/jsonrpc/call.ts', 'CallContext', 'docs/jsonrpc.md'],
    ['wire/framing/decoded.ts', 'JunkReason', 'docs/framing.md'],
    ['wire/framing/decoded.ts', 'WarningReason', 'docs/framing.md'],
    ['wire/tap/recorder.ts', 'RecorderOptions', 'docs/tap.md'],
    ['wire/errors.ts', 'ProcessExit', 'docs/errors.md'],
    ['mcp/server/definition.ts', 'ServerDefinition', 'docs/mcp.md'],
    ['mcp/client/connect.ts', 'ClientOptions', 'docs/mcp.md'],
    ['mcp/client/input-handlers.ts', 'InputHandlers', 'docs/mcp.md'],
    ['mcp/client/mcp-client.ts', 'CallOptions', 'docs/mcp.md'],
    ['mcp/http/access.ts', 'AccessOptions', 'docs/mcp.md'],
    ['mcp/http/http-end.ts', 'HttpEndOptions', 'docs/mcp.md'],
  ])('%s: %s on %s', (file, type, page) => {
    const names = namesIn(file, type);
    expect(names).not.toEqual([]);
    const text = read(page);
    expect(names.filter((name) => !new RegExp(`\`${name}\\b[^\`]*\``).test(text))).toEqual([]);
  });
});

describe('the errors page', () => {
  const page = read('docs/errors.md');
  const codes = namesIn('wire/errors.ts', 'WireErrorCode');
  const rpcCodes = codesIn('packages/wire/src/errors.ts');
  const mcpCodes = codesIn('packages/mcp/src/protocol/error-codes.ts');

  it('is held against the codes of the source', () => {
    expect(codes.length).toBeGreaterThan(10);
    expect(rpcCodes.length).toBe(5);
    expect(mcpCodes.length).toBe(4);
  });

  it.each([...codes, ...rpcCodes, ...mcpCodes, '-32800', '-32001'])('has a row for %s', (code) => {
    expect(page).toMatch(new RegExp(`^\\| \`${code}\` \\|`, 'm'));
  });

  it('has no row for a code that does not exist', () => {
    const rows = [...page.matchAll(/^\| `(?<code>[A-Z_]+)` \|/gm)];
    const listed = rows.map(({ groups }) => groups?.['code'] ?? '');
    expect(listed.filter((code) => !codes.includes(code))).toEqual([]);
  });
});

describe('the page of check reports', () => {
  const page = read('docs/check-reports.md');
  const [reports = '', wrong = ''] = page.split('## Servers that are wrong on purpose');
  const defects = JSON.parse(read('packages/cli/test/fixtures/defects.json')) as readonly {
    readonly does: string;
    readonly check: string;
    readonly status: string;
  }[];

  it('has a row for every check there is', () => {
    const rows = [...reports.matchAll(/^\| `(?<name>[\w-]+)` \|/gm)];
    const names = rows.map(({ groups }) => groups?.['name']);
    expect(names).toEqual(['start', ...checks.map(({ name }) => name)]);
  });

  it('has a row for every defect there is a server with', () => {
    const wanted = defects.map(({ does, check, status }) => {
      return `| ${does} | \`${check}\` | ${status === 'fail' ? 'failure' : 'warning'} |`;
    });
    expect(wrong.match(/^\| .* \| `.*$/gm)).toEqual(wanted);
  });
});
