import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Manifest, PACKAGES, ROOT, readJson } from './packed-folder.ts';

const exec = promisify(execFile);
const LIBRARIES = ['wire', 'mcp'] as const;
const folder = mkdtempSync(join(tmpdir(), 'tincan-libraries-'));

beforeAll(() => {
  for (const name of LIBRARIES) {
    const to = join(folder, 'node_modules', `tincan-${name}`);
    mkdirSync(to, { recursive: true });
    for (const part of ['package.json', 'dist']) {
      cpSync(join(ROOT, 'packages', name, part), join(to, part), { recursive: true });
    }
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

async function evaluate(code: string, type = 'module'): Promise<string> {
  const args = [`--input-type=${type}`, '-e', code];
  const { stdout } = await exec(process.execPath, args, { cwd: folder });
  return stdout.trim();
}

it.each(PACKAGES)('%s has one build for every runtime and bundler', (name) => {
  const { exports } = readJson<Manifest>(`packages/${name}/package.json`);
  const conditions = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [Object.keys(entry)],
  );
  for (const each of conditions) expect(each).toEqual(['tincan-source', 'types', 'default']);
});

it('imports Node and other packages by ordinary imports', () => {
  const text = readFileSync(join(ROOT, 'packages/mcp/dist/index.js'), 'utf8');
  expect(text).toMatch(/^import \{[^}]+\} from "tincan-wire";$/m);
  expect(text).toMatch(/^import \{[^}]+\} from "node:util";$/m);
  expect(text).not.toContain('getBuiltinModule("node:util")');
});

it('has one copy of wire in a program', async () => {
  const code = `import { McpServer } from 'tincan-mcp';
    import { WireError } from 'tincan-wire';
    try { new McpServer({}); } catch (error) { console.log(error instanceof WireError); }`;
  expect(await evaluate(code)).toBe('true');
});

it('has one copy of mcp behind its two entry points', async () => {
  const code = `import { LATEST_LEGACY, McpServer } from 'tincan-mcp';
    import { serverBackend } from 'tincan-mcp/http';
    serverBackend(new McpServer({ name: 'one', version: '1.0.0' }));
    console.log(LATEST_LEGACY);`;
  expect(await evaluate(code)).toBe('2025-11-25');
});

it('can be required', async () => {
  const code = `console.log(typeof require('tincan-mcp').McpServer);`;
  expect(await evaluate(code, 'commonjs')).toBe('function');
});

it('can be bundled into one program', async () => {
  const server = `import { McpServer } from 'tincan-mcp';
await new McpServer({ name: 'bundled', version: '1.0.0', tools: [] }).serve();
`;
  writeFileSync(join(folder, 'server.mjs'), server);
  const build = await rolldown({ cwd: folder, input: 'server.mjs', platform: 'node' });
  // Out of reach of the packages.
  const alone = mkdtempSync(join(tmpdir(), 'tincan-bundled-'));
  try {
    await build.write({ dir: alone, entryFileNames: 'program.mjs' });
    await build.close();
    const done = exec(process.execPath, [join(alone, 'program.mjs')], { cwd: alone });
    done.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(JSON.parse((await done).stdout)).toMatchObject({ id: 1, result: {} });
  } finally {
    rmSync(alone, { recursive: true });
  }
});
