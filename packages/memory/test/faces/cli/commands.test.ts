import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../src/faces/cli/commands/commands.ts';
import { checkNode } from '../../../src/faces/cli/doctor/diagnose.ts';
import { Scratch } from './scratch-io.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = new Scratch();
});
afterEach(() => scratch.remove());

const add = async (...argv: string[]): Promise<string> =>
  (await scratch.json<{ id: string }>(['add', '-p', 'demo', ...argv])).id;

describe('help', () => {
  it('lists every command', async () => {
    for (const argv of [['--help'], ['-h'], ['help']]) {
      const { code, out } = await scratch.run(argv);
      expect(code).toBe(0);
      for (const { name, summary } of commands)
        expect(out).toContain(`${name.padEnd(7)}  ${summary}`);
    }
  });

  it.each(commands.map(({ name }) => [name]))('explains `%s` with examples', async (name) => {
    const { code, out } = await scratch.run([name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage  tincan-memory ${name}`);
    expect(out).toMatch(/Examples\n {2}# .+\n {2}\S+/);
    expect(out).toBe((await scratch.run(['help', name])).out);
    for (const line of out.split('Examples')[0]?.split('\n') ?? []) {
      expect(line.length).toBeLessThanOrEqual(100);
    }
  });

  it('tells the version', async () => {
    for (const argv of [['version'], ['-v'], ['--version']]) {
      expect((await scratch.run(argv)).out).toMatch(/^tincan-memory \d+\.\d+\.\d+\n$/);
    }
  });

  it.each([
    [['bogus'], 'expected a command'],
    [['help', 'bogus'], 'expected a command'],
    [['lst'], 'got `lst`; did you mean `list`?'],
    [['list', 'word'], 'takes options only'],
    [['-c', 'file', 'list'], 'got `list`; a command comes before its options'],
    [['search', '-p', 'demo'], 'query is required (or use --stdin)'],
    [['search', '-p', '', 'x'], 'project ID is required (-p or --project)'],
    [['search', '-p', 'demo', '-k', '0', 'x'], 'top-k must be greater than 0'],
    [['search', '-p', 'demo', '-k', '101', 'x'], 'topK'],
    [['search', '-p', 'demo', '-f', 'xml', 'x'], 'got `xml`'],
    [['search', '-p', 'demo', '--min-score', 'high', 'x'], 'got `high`'],
    [['search', '-p', 'demo', '--min-score', '2', 'x'], 'from 0 to 1'],
    [['search', '-p', 'demo', '--mode', 'magic', 'x'], 'got `magic`'],
    [['search', '-p', 'demo', '--max-tokens', '0', 'x'], 'maxTokens'],
    [['search', '-p', 'demo', '--since', 'today', 'x'], 'invalid time format'],
    [['add', '-p', 'demo'], 'text is required'],
    [['add', '-p', 'demo', '-g', 'a b', 'x'], 'groupId contains invalid characters'],
    [['add', '-p', 'demo', '--metadata', '{', 'x'], '`--metadata`'],
    [['add', '-p', 'demo', '--metadata', '[]', 'x'], 'metadata'],
    [['get'], 'id is required'],
    [['delete'], 'id is required'],
    [['history'], 'id is required'],
    [['history', 'a', 'b'], 'expected one id, got 2'],
    [['restore'], 'expected the id of a note, or a backup file'],
    [['restore', 'a', 'b'], 'expected one id or one file, got 2'],
    [['restore', 'file', '--version', '1'], '`--version` is for notes'],
    [['backup'], 'expected a file to write'],
    [['backup', 'a', 'b'], 'expected one file, got 2'],
    [['restore', 'a', '--version', 'x'], '--version'],
    [['import'], 'expected a file'],
    [['import', '--map', 'x', 'file'], '`from=to`'],
    [['import', '--map', 'x=y', '--map', 'x=z', 'file'], 'one `--map` for project `x`'],
    [['serve', '--port', '99999'], 'invalid port: 99999'],
    [['serve', '--transport', 'foo'], 'got `foo`'],
  ])('answers %j with code 2 and the reason', async (argv, message) => {
    const { code, out, err } = await scratch.run(argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: /);
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });
});

describe('notes', () => {
  it('adds, finds, lists, gets and deletes', async () => {
    const id = await add(
      '-g',
      'ops',
      '--title',
      'Release',
      '--tags',
      'a,b',
      '--source',
      'me',
      'Deploys',
      'on',
      'Tuesdays',
    );
    const found = await scratch.json<{ results: object[] }>(['search', '-p', 'demo', 'deploys']);
    expect(found.results).toEqual([
      {
        id,
        title: 'Release',
        text: 'Deploys on Tuesdays',
        score: expect.any(Number),
        tags: ['a', 'b'],
      },
    ]);
    expect(await scratch.json(['list', '-p', 'demo'])).toMatchObject({
      items: [{ id, groupId: 'ops' }],
    });
    expect(await scratch.json(['get', id])).toMatchObject({ id, source: 'me' });
    expect(await scratch.json(['delete', id])).toEqual({ deleted: [id], missing: [] });
    expect(await scratch.run(['get', id])).toMatchObject({
      code: 1,
      err: 'error: Note not found\n',
    });
  });

  it('deletes what is there and says what is not', async () => {
    const id = await add('text');
    const { code, out, err } = await scratch.run(['delete', 'nope', id]);
    expect(code).toBe(1);
    expect(err).toBe('error: not found: nope\n');
    expect(JSON.parse(out)).toEqual({ deleted: [id], missing: ['nope'] });
  });

  it('adds nothing twice, and tells of what is nearly the same', async () => {
    const id = await add('the green lantern hangs above the old door');
    const again = ['add', '-p', 'demo', 'the green lantern hangs  above the old door'];
    expect(await scratch.json(again)).toMatchObject({ id, duplicate: true });
    const { out } = await scratch.run([...again, '-f', 'text']);
    expect(out).toBe(`Already there: ${id}\n`);
    const { err } = await scratch.run([...again, 'today']);
    expect(err).toMatch(new RegExp(`^similar: ${id} \\(score: 0\\.\\d\\d\\)\n$`));
  });

  it('tells the history of a note, brings it back and erases it', async () => {
    const id = await add('--tags', 'a', 'Deploys on Tuesdays');
    await scratch.run(['delete', id]);
    const { versions } = await scratch.json<{ versions: object[] }>(['history', id]);
    expect(versions).toMatchObject([{ event: 'deleted' }, { event: 'added', tags: ['a'] }]);
    const { out } = await scratch.run(['history', id, '-f', 'text']);
    expect(out).toMatch(/^VERSION +EVENT +AT +GROUP +NOTE +TAGS\n2 +deleted .+ global +Deploys/);
    expect(await scratch.json(['restore', id])).toEqual({ ok: true, version: 3 });
    expect(await scratch.run(['restore', id, '--version', '1', '-f', 'text'])).toMatchObject({
      code: 0,
      out: `Restored ${id} as version 3\n`,
    });
    expect(await scratch.run(['restore', id])).toMatchObject({ code: 2 });
    const erased = await scratch.run(['delete', '--hard', id, '-f', 'text']);
    expect(erased).toMatchObject({ code: 0, out: 'Erased 1 of 1\n' });
    expect(await scratch.run(['history', id])).toMatchObject({ code: 1, out: '' });
  });

  it('narrows by group, tags and number', async () => {
    await add('-g', 'one', '--tags', 'x,y', 'alpha first');
    await add('-g', 'two', '--tags', 'x', 'alpha second');
    const texts = async (...argv: string[]): Promise<string[]> =>
      (
        await scratch.json<{ results: { text: string }[] }>([
          'search',
          '-p',
          'demo',
          ...argv,
          'alpha',
        ])
      ).results.map(({ text }) => text);
    expect(await texts('-g', 'two')).toEqual(['alpha second']);
    expect(await texts('--tags', 'x,y')).toEqual(['alpha first']);
    expect(await texts('-k', '1')).toHaveLength(1);
    expect(await texts('--until', '2020-01-01T00:00:00Z')).toEqual([]);
  });

  it('takes the first line of stdin as the query and all of it as a text', async () => {
    await scratch.run(['add', '-p', 'demo', '--stdin'], { input: 'one\ntwo\n' });
    const { out } = await scratch.run(['search', '-p', 'demo', '--stdin', '-f', 'json'], {
      input: ' two \nzzz\n',
    });
    expect(JSON.parse(out).results[0].text).toBe('one\ntwo');
    expect(await scratch.run(['search', '-p', 'demo', '--stdin'], { input: '\n' })).toMatchObject({
      code: 2,
    });
  });

  it('speaks to a person in a terminal and to a program in a pipe, unless told', async () => {
    await add('--title', 'T', 'alpha');
    const terminal = {
      isTerminal: true,
      env: {
        TINCAN_HOME: join(scratch.folder, 'home'),
        NO_COLOR: '1',
        TINCAN_EMBEDDER_PROVIDER: 'none',
      },
    };
    const search = ['search', '-p', 'demo', 'alpha'];
    expect((await scratch.run(search, terminal)).out).toMatch(
      /^\[1\] T \(score: \d\.\d\d\)\n {4}alpha\n\n$/,
    );
    expect((await scratch.run([...search, '-f', 'text'])).out).toMatch(/^\[1\] T/);
    expect((await scratch.run(search)).out).toMatch(/^\{\n {2}"results"/);
    expect((await scratch.run([...search, '--format=json'], terminal)).out).toMatch(
      /^\{\n {2}"results"/,
    );
    expect((await scratch.run(['list', '-p', 'demo'], terminal)).out).toMatch(/^ID +CREATED/);
    const where = 'searched project: none (`-p` names another)\n';
    expect(await scratch.run(['search', '-p', 'none', 'x'], terminal)).toMatchObject({
      ...{ out: 'No results found.\n', err: where },
    });
    expect(await scratch.run(['list', '-p', 'none'], terminal)).toMatchObject({
      ...{ out: 'No notes found.\n', err: where },
    });
    expect((await scratch.run(['list', '-p', 'none'])).err).toBe('');
  });

  it('takes the repository one stands in for the project', async () => {
    mkdirSync(join(scratch.folder, 'repo/.git'), { recursive: true });
    mkdirSync(join(scratch.folder, 'repo/src/deep'), { recursive: true });
    const cwd = join(scratch.folder, 'repo/src/deep');
    const { out } = await scratch.run(['add', 'here'], { cwd });
    expect(JSON.parse(out).canonicalProjectId).toMatch(/\/repo$/);
    const listed = await scratch.run(['list'], { cwd: join(scratch.folder, 'repo') });
    expect(JSON.parse(listed.out).items).toHaveLength(1);
  });

  it('says that a secret was taken out', async () => {
    const { code, err } = await scratch.run([
      'add',
      '-p',
      'demo',
      `key sk-proj-${'a1B2'.repeat(12)}`,
    ]);
    expect(code).toBe(0);
    expect(err).toMatch(/^warning: secrets in the text were redacted \(.+\)\n$/);
  });
});

describe('export and import', () => {
  it('carries everything over, and nothing twice', async () => {
    await add('--tags', 'x', 'first');
    await add('second 日本');
    const { out } = await scratch.run(['export']);
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ kind, text }) => [kind, text])).toEqual([
      ['note', 'first'],
      ['note', 'second 日本'],
    ]);
    const other = new Scratch();
    try {
      const first = await other.run(['import'], { input: out });
      expect(JSON.parse(first.out)).toMatchObject({
        added: { note: 2 },
        kept: { note: 0 },
        refused: 0,
      });
      const again = await other.run(['import', '-'], { input: out });
      expect(JSON.parse(again.out)).toMatchObject({ added: { note: 0 }, kept: { note: 2 } });
      expect((await other.run(['export'])).out).toBe(out);
    } finally {
      other.remove();
    }
  });

  it('writes a file for its owner alone, whole or not at all', async () => {
    await add('first');
    const file = join(scratch.folder, 'out.ndjson');
    expect(await scratch.run(['export', '-o', 'out.ndjson'])).toMatchObject({
      code: 0,
      out: '',
      err: '1 record written to out.ndjson\n',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ text: 'first' });
    const { code, err } = await scratch.run(['export', '-o', 'no/such/folder.ndjson']);
    expect(code).toBe(3);
    expect(err).toContain('cannot write');
  });

  it('exports one project', async () => {
    await add('mine');
    await scratch.json(['add', '-p', 'other', 'theirs']);
    const { out } = await scratch.run(['export', '-p', 'other']);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toContain('theirs');
  });

  it('reports lines it cannot take by place, takes the rest and exits with 1', async () => {
    writeFileSync(
      join(scratch.folder, 'in.ndjson'),
      [
        '{"kind":"note","projectId":"demo","groupId":"global","text":"good"}',
        '',
        'not json',
        '{"kind":"note","projectId":"demo","groupId":"global"}',
        '{"kind":"cat"}',
        '[]',
        '{"kind":"value","projectId":"demo","key":"nope","value":1}',
      ].join('\r\n'),
    );
    const { code, out, err } = await scratch.run(['import', 'in.ndjson']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ added: { note: 1 }, refused: 5 });
    expect(err.trimEnd().split('\n').sort()).toEqual([
      'in.ndjson:3: not JSON',
      'in.ndjson:4: text is required',
      'in.ndjson:5: expected an object whose kind is `note`, `deleted`, `erased`, `group` or `value`',
      'in.ndjson:6: expected an object whose kind is `note`, `deleted`, `erased`, `group` or `value`',
      expect.stringContaining('in.ndjson:7: key must start with'),
    ]);
  });

  it('puts a project under another name and shows first what would happen', async () => {
    const input = '{"kind":"note","projectId":"/old/app","groupId":"global","text":"moved"}\n';
    const map = ['import', '--map', '/old/app=new'];
    const dry = await scratch.run([...map, '--dry-run'], { input });
    expect(JSON.parse(dry.out)).toMatchObject({ added: { note: 1 } });
    expect(await scratch.json(['list', '-p', 'new'])).toMatchObject({ items: [] });
    await scratch.run(map, { input });
    expect(await scratch.json(['list', '-p', 'new'])).toMatchObject({ items: [{ text: 'moved' }] });
  });

  it('refuses to move a project within its store, and says what to do', async () => {
    await add('first');
    await scratch.run(['import'], {
      input: '{"kind":"value","projectId":"demo","key":"global.k","value":1}',
    });
    const { out: input } = await scratch.run(['export']);
    const { code, out, err } = await scratch.run(['import', '--map', 'demo=new'], { input });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ added: { note: 0, group: 0, value: 0 }, refused: 2 });
    expect(err).toMatch(/^stdin:1: expected a record of another store.*TINCAN_STORE_PATH/);
    expect((await scratch.run(['export'])).out).toBe(input);
  });

  it('says that no record is of a project to rename', async () => {
    const input = '{"kind":"note","projectId":"demo","groupId":"global","text":"x"}';
    const { err } = await scratch.run(['import', '--map', 'dmeo=new'], { input });
    expect(err).toBe('warning: `--map` found no record of project `dmeo`\n');
  });

  it('lets no refusal write control characters to the terminal', async () => {
    const input = ['createdAt', 'id', 'groupId', 'title']
      .map((field) => {
        const note = { kind: 'note', projectId: 'demo', groupId: 'g', text: 'x' };
        return JSON.stringify({ ...note, [field]: field === 'title' ? [] : '\u001b[31m\u202e' });
      })
      .join('\n');
    const file = '\u001b[31m.ndjson';
    writeFileSync(join(scratch.folder, file), input);
    const { code, err } = await scratch.run(['import', '--map', '\u001b[5m=x', file]);
    expect(code).toBe(1);
    expect(err).toContain('\\x1b[31m.ndjson:1: invalid time format');
    expect(err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('refuses a line that is too long or not text by its number, and takes the next', async () => {
    const note = (text: string): string =>
      JSON.stringify({ kind: 'note', projectId: 'demo', groupId: 'g', text });
    const stdin = Readable.from(
      (function* () {
        yield Buffer.from(`${note('one')}\n`);
        for (let i = 0; i < 65; i += 1) yield Buffer.alloc(1024 * 1024, 'x');
        yield Buffer.from(`\n${note('two')}\n`);
        yield Buffer.alloc(1024 * 1024);
        yield Buffer.from(`\n${note('three')}\n`);
        yield Buffer.from([0xff, 0xfe, 0x0a]);
        yield Buffer.from(note('four'));
      })(),
    );
    const { code, out, err } = await scratch.run(['import'], { stdin, isInputTerminal: false });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ added: { note: 4 }, refused: 3 });
    expect(err.trimEnd().split('\n')).toEqual([
      'stdin:2: expected a line of at most 67108864 bytes, got 68157440 bytes: split the record',
      'stdin:4: expected JSON, got NUL bytes: not a text file in UTF-8',
      'stdin:6: expected text in UTF-8, got other bytes',
    ]);
  });

  it('names a file that is not there', async () => {
    const { code, err } = await scratch.run(['import', 'absent.ndjson']);
    expect(code).toBe(3);
    expect(err).toContain('cannot read `absent.ndjson`');
  });

  it('stops when told to and keeps what it took', async () => {
    const abort = new AbortController();
    const stdin = new PassThrough();
    const lines = Array.from(
      { length: 300 },
      (_, i) => `{"kind":"note","projectId":"demo","groupId":"global","text":"n ${i}"}\n`,
    );
    stdin.write(lines.join(''));
    const running = scratch.run(['import'], {
      stdin,
      isInputTerminal: false,
      signal: abort.signal,
    });
    abort.abort();
    stdin.end('{"kind":"note","projectId":"demo","groupId":"global","text":"late"}\n');
    expect((await running).code).toBe(130);
    expect((await scratch.run(['doctor'])).code).toBe(0);
  });

  it('shows a bar to whoever watches', async () => {
    const file = join(scratch.folder, 'many.ndjson');
    writeFileSync(
      file,
      Array.from(
        { length: 600 },
        (_, i) => `{"kind":"note","projectId":"demo","groupId":"global","text":"n ${i}"}`,
      ).join('\n'),
    );
    const { err } = await scratch.run(['import', file], { isErrorTerminal: true });
    expect(err).toMatch(/importing [█░]{24} +\d+ %/);
    expect(err.endsWith('\r\u001B[2K')).toBe(true);
    expect((await scratch.run(['import', file])).err).toBe('');
  });
});

describe('reindex', () => {
  const env = (): Record<string, string> => ({ TINCAN_HOME: join(scratch.folder, 'home') });

  it('gives notes their vectors', async () => {
    await add('one');
    await add('two');
    const first = await scratch.run(['reindex'], { env: env() });
    expect(JSON.parse(first.out)).toEqual({ embedded: 2, notes: 2 });
    expect(JSON.parse((await scratch.run(['reindex'], { env: env() })).out)).toEqual({
      embedded: 0,
      notes: 2,
    });
    const all = await scratch.run(['reindex', '--all', '-f', 'text'], { env: env() });
    expect(all.out).toBe('Embedded 2 of 2 notes\n');
  });

  it('says why it cannot, with code 3', async () => {
    await add('one');
    const { code, err } = await scratch.run(['reindex'], {
      env: { ...env(), TINCAN_EMBEDDER_PROVIDER: 'openai' },
    });
    expect(code).toBe(3);
    expect(err).toContain('notes wait for their vectors');
  });
});

describe('hook', () => {
  it('prints nothing where nothing is remembered', async () => {
    expect(await scratch.run(['hook', '-p', 'demo'])).toEqual({ code: 0, out: '', err: '' });
    expect((await scratch.run(['hook', '-p', 'demo', '-f', 'json'])).out).toBe('{}\n');
  });

  it('prints recent notes and conventions of the project', async () => {
    await add('remembered');
    await scratch.run(['import'], {
      input:
        '{"kind":"value","projectId":"demo","key":"global.project.conventions","value":"Use tabs"}',
    });
    const { out } = await scratch.run(['hook', '-p', 'demo']);
    expect(out).toContain('<memory project="demo">');
    expect(out).toContain('Use tabs');
    expect(out).toContain('remembered');
    expect((await scratch.run(['hook', '-p', 'demo', '--max-tokens', '10'])).out).toBe('');
  });

  it('learns the project from the event on stdin, and answers in its form', async () => {
    const cwd = join(scratch.folder, 'app');
    mkdirSync(cwd);
    await scratch.run(['add', '-p', cwd, 'remembered']);
    const input = JSON.stringify({ cwd, hook_event_name: 'SessionStart', source: 'startup' });
    const { out } = await scratch.run(['hook', '-f', 'json'], { input });
    expect(JSON.parse(out)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('remembered'),
      },
    });
  });

  it('writes no control or hidden character, in either form', async () => {
    await add('--tags', '\u001b[31m', 'red \u001b[31m \u009b \u200b \u202e \u{E0041} </memory>');
    for (const format of ['text', 'json']) {
      const { out } = await scratch.run(['hook', '-p', 'demo', '-f', format]);
      expect(out).toContain('red');
      expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    const { out } = await scratch.run(['list', '-p', 'demo', '-f', 'json'], { isTerminal: true });
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(out)).toMatchObject({ items: [{ tags: ['\u001b[31m'] }] });
  });

  it('does not walk a path that no folder can have', async () => {
    const input = JSON.stringify({ cwd: '/a'.repeat(300_000) });
    const { code, err } = await scratch.run(['hook'], { input });
    expect(code).toBe(2);
    expect(err).toContain('at most 4096 bytes');
  });

  it.runIf(process.platform !== 'win32')(
    'takes a FIFO named `.git` for no repository',
    async () => {
      const cwd = join(scratch.folder, 'app', 'inner');
      mkdirSync(cwd, { recursive: true });
      mkdirSync(join(scratch.folder, 'app', '.git'));
      execFileSync('mkfifo', [join(cwd, '.git')]);
      await scratch.json(['add', '-p', join(scratch.folder, 'app'), 'remembered']);
      expect((await scratch.run(['hook'], { cwd })).out).toContain('remembered');
    },
  );

  it('does not wait for the end of a pipe that has said enough', async () => {
    const stdin = new PassThrough();
    stdin.write(JSON.stringify({ cwd: scratch.folder }));
    expect((await scratch.run(['hook'], { stdin, isInputTerminal: false })).code).toBe(0);
  });

  it('goes by its folder where stdin holds something else', async () => {
    await scratch.run(['add', '-p', scratch.folder, 'remembered']);
    expect((await scratch.run(['hook'], { input: 'hello' })).out).toContain('remembered');
  });
});

describe('doctor', () => {
  interface Report {
    readonly ok: boolean;
    readonly checks: { name: string; status: string; message: string; fix?: string }[];
  }
  const check = async (
    name: string,
    fields = {},
  ): Promise<Report['checks'][number] | undefined> => {
    const { out } = await scratch.run(['doctor'], fields);
    return (JSON.parse(out) as Report).checks.find((each) => each.name === name);
  };

  it('finds a fresh installation in order and makes nothing', async () => {
    const report = await scratch.json<Report>(['doctor']);
    expect(report.ok).toBe(true);
    expect(report.checks.map(({ name, status }) => [name, status])).toEqual(
      [
        ...['node', 'driver', 'sqlite', 'config', 'toolset', 'permissions', 'store', 'embedder'],
      ].map((name) => [name, 'ok']),
    );
    expect(existsSync(join(scratch.folder, 'home'))).toBe(false);
  });

  it('looks into the store', async () => {
    await add('one');
    expect((await check('store'))?.message).toMatch(/notes: 1, projects: 1, .+ integrity checked$/);
  });

  it('finds a store that is none, and keeps it', async () => {
    mkdirSync(join(scratch.folder, 'home/data'), { recursive: true });
    const file = join(scratch.folder, 'home/data/memory.db');
    writeFileSync(file, 'this is not a database at all, whatever its name may say'.repeat(100));
    expect((await scratch.run(['doctor'])).code).toBe(1);
    expect(await check('store')).toMatchObject({
      status: 'fail',
      fix: expect.stringContaining('import'),
    });
    expect(readFileSync(file, 'utf8')).toContain('not a database');
  });

  it('finds a mistake in the configuration and goes on', async () => {
    mkdirSync(join(scratch.folder, 'home'));
    writeFileSync(join(scratch.folder, 'home/config.json'), '{"store":{"typ":"sqlite"}}');
    const { code } = await scratch.run(['doctor']);
    expect(code).toBe(1);
    expect(await check('config')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('typ'),
    });
    expect(await scratch.run(['list'])).toMatchObject({
      code: 3,
      err: expect.stringContaining('config.json'),
    });
  });

  it.runIf(process.platform !== 'win32')('warns of files that others can read', async () => {
    await add('one');
    chmodSync(join(scratch.folder, 'home/data/memory.db'), 0o644);
    expect(await check('permissions')).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('chmod 600'),
    });
  });

  it.runIf(process.platform !== 'win32')('warns of a folder that others can write to', async () => {
    await add('one');
    chmodSync(join(scratch.folder, 'home/data'), 0o777);
    expect(await check('permissions')).toMatchObject({
      status: 'warn',
      message: expect.stringMatching(/others can write to `.+data`/),
      fix: expect.stringContaining('chmod go-w'),
    });
  });

  it.runIf(process.getuid?.() === 0)('warns of a folder of another user', async () => {
    await add('one');
    chownSync(join(scratch.folder, 'home/data'), 65_534, 65_534);
    expect(await check('permissions')).toMatchObject({
      status: 'warn',
      message: expect.stringContaining('belongs to another user (65534)'),
    });
  });

  it('warns of an embedder without a key and of notes that wait', async () => {
    const TINCAN_HOME = join(scratch.folder, 'home');
    const openai = { env: { TINCAN_HOME, TINCAN_EMBEDDER_PROVIDER: 'openai' } };
    expect(await check('embedder', openai)).toMatchObject({
      status: 'warn',
      fix: expect.stringContaining('OPENAI_API_KEY'),
    });
  });

  it.each([
    ['18.20.0', 'fail'],
    ['20.18.9', 'fail'],
    ['20.19.0', 'ok'],
    ['22.0.0', 'ok'],
  ])('takes Node.js %s for %s', (version, status) => {
    expect(checkNode(version)).toMatchObject({ name: 'node', status });
  });

  it('reads well in a terminal', async () => {
    const { out } = await scratch.run(['doctor', '-f', 'text']);
    expect(out).toMatch(/^✓ node +\d+\.\d+\.\d+\n✓ driver /);
  });
});
