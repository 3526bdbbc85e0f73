import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verbs } from '../../../packages/cli/src/verbs/index.ts';
import { commands } from '../../../packages/memory/src/faces/cli/commands/commands.ts';
import { type EmptyMachine, openEmptyMachine } from './empty-machine.ts';
import { ROOT } from './packed-folder.ts';

/** Examples that cannot run here, by what is in them. */
const NOT_HERE = [
  /example\.com|my-lsp|curl /, // a server that is not there
  /\| (?:jq|man) |git log/, // a program or a repository that may not be there
  /^source /, // not for every shell
  /repl --/, // reads what a person types
  /bridge --port|--transport http|--follow/, // runs until it is stopped
];
const NOTE_ID = '3f1c9a52-7f0e-4f4e-9d3c-0f2f6f1f8f11';
/** What an example needs to have happened before it. */
const BEFORE: readonly (readonly [RegExp, string])[] = [
  [/restore memory\.backup/, 'tincan-memory backup memory.backup'],
  [/restore \S{36}/, `tincan-memory delete ${NOTE_ID}`],
];
const isWindows = process.platform === 'win32';
const examples = [...verbs, ...commands].flatMap((each) => each.examples.map((one) => one.command));
const shown = [...new Set(examples)].filter((line) => !NOT_HERE.some((part) => part.test(line)));

let machine: EmptyMachine;
/** Runs a line where the programs are on the PATH, as npm installs them. */
async function type(line: string): Promise<void> {
  const here = line.replace(
    /npx -y (@modelcontextprotocol\/server-\w+)/,
    `node ${join(ROOT, 'node_modules')}/$1/dist/index.js`,
  );
  const bin = join(ROOT, 'node_modules/.bin');
  const { code, stderr } = await machine.run(`PATH="${bin}:$PATH"; ${here}`);
  expect({ line, code, stderr: code === 0 ? '' : stderr }).toEqual({ line, code: 0, stderr: '' });
}

describe.skipIf(isWindows)('an example of the help', () => {
  beforeAll(async () => {
    machine = await openEmptyMachine();
    for (const name of ['.zfunc', '.config/fish/completions', 'backups', 'app']) {
      mkdirSync(join(machine.home, name), { recursive: true });
    }
    const memory = join(ROOT, 'packages/memory/bin/tincan-memory.js');
    writeFileSync(join(machine.folder, 'server.js'), `require(${JSON.stringify(memory)});\n`);
    await type('tincan tap --out session.ndjson -- node server.js');
    await type('tincan tap -- node server.js');
    // A note with the id that the examples name, in the files that they name.
    await type('tincan-memory add "Deploys go out on Tuesdays"');
    await type(`tincan-memory export | sed -E 's/[0-9a-f-]{36}/${NOTE_ID}/' > memory.ndjson`);
    await type('tincan-memory import memory.ndjson && gzip -c memory.ndjson > project.ndjson.gz');
    await type('tincan-memory token');
    for (const part of ['home', 'folder'] as const) {
      cpSync(machine[part], join(machine.clone, part), { recursive: true });
    }
  });
  beforeEach(() => {
    // Each example finds the same files, whatever the others did.
    for (const part of ['home', 'folder'] as const) {
      rmSync(machine[part], { recursive: true });
      cpSync(join(machine.clone, part), machine[part], { recursive: true });
    }
  });
  afterEach(() => expect(machine.requested).toEqual([]));
  afterAll(() => machine[Symbol.asyncDispose]());

  it('is there for most of the commands', () => {
    expect(shown.length).toBeGreaterThan(45);
  });

  it.each(shown)('works: %s', async (line) => {
    for (const [pattern, first] of BEFORE) if (pattern.test(line)) await type(first);
    await type(line);
  });
});
