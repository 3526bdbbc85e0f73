import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM } from './run-tincan.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const hasTerminal = process.platform === 'linux' && isThere('script');

/** A folder with files to complete, folders called like verbs, and a `tincan` that says what it was called with. */
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tincan-completion-'));
  for (const name of ['bin', 'config', 'answer', 'my recordings']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'session one.ndjson'), '');
  const real = `exec '${process.execPath}' '${PROGRAM}' "$@"`;
  const program = `#!/bin/sh\n[ "$1" = completion ] && ${real}\nprintf '<%s>' "$@"; echo\n`;
  writeFileSync(join(folder, 'bin/tincan'), program, { mode: 0o755 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function environment(): NodeJS.ProcessEnv {
  // npm puts the checkout's own programs on the PATH, whose names begin alike.
  const others = (process.env['PATH'] ?? '').split(':').filter((each) => !/\.bin$/.test(each));
  const PATH = [`${folder}/bin`, ...others].join(':');
  return { ...process.env, PATH, HOME: folder, XDG_CONFIG_HOME: folder, PS1: '$ ' };
}

/** A shell with the completion loaded, as its help says. */
async function shell(command: string, load: string): Promise<Terminal> {
  const terminal = openTerminal(`cd '${folder}' && ${command}`, environment());
  // In two parts, so that the echo of the line is not taken for what it prints.
  terminal.type(`${load}; echo rea'dy'\n`);
  await terminal.seen('ready');
  return terminal;
}

// Keys typed, and the words the program is called with then. A folder is called `config`, as is a verb.
const LINES: readonly (readonly [keys: string, words: string])[] = [
  ['tincan che\t', '<check>'],
  ['tincan conf\tcu\t', '<config><cursor>'],
  ['tincan call --er\tleg\t', '<call><--era><legacy>'],
  ['tincan help rep\ta\t', '<help><replay>'],
  ['tincan show ses\t', '<show><session one.ndjson>'],
  ['tincan show my\t', '<show><my recordings'],
  ['tincan check -- tinc\t', '<check><--><tincan>'],
];

const SHELLS = [
  ['bash', 'bash --norc --noprofile -i', 'source <(tincan completion bash)'],
  ['zsh', 'zsh -f -i', 'autoload -U compinit; compinit -u -D; source <(tincan completion zsh)'],
] as const;

describe.each(SHELLS)('completion of %s in a terminal', (name, command, load) => {
  it.runIf(hasTerminal && isThere(name)).each(LINES)('makes of %j %s', async (keys, words) => {
    await using terminal = await shell(command, load);
    terminal.type(`${keys}\n`);
    await terminal.seen(words);
    terminal.type('exit\n');
    await terminal.ended;
  });
});

describe.runIf(isThere('fish'))('completion of fish', () => {
  it.each([
    ['tincan che', ['check']],
    ['tincan conf', ['config']],
    ['tincan config cu', ['cursor']],
    ['tincan call --er', ['--era']],
    ['tincan call --era leg', ['legacy']],
    ['tincan help repl', ['repl', 'replay']],
    ['tincan show ses', ['session one.ndjson']],
    ['tincan check -- tinc', ['tincan']],
    ['tincan check -- cat ses', ['session one.ndjson']],
  ])('offers for %j %j', (line, words) => {
    const script = `source (tincan completion fish | psub); complete -C '${line}'`;
    const { stdout, stderr } = spawnSync('fish', ['-c', script], {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const offers = stdout.trim().split('\n');
    expect(offers.map((offer) => offer.split('\t')[0])).toEqual(words);
  });
});
