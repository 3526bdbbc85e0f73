import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OFFICIAL, OURS, PROGRAM, scratchFolder, tincan } from './run-tincan.ts';

const folder = scratchFolder();
const file = join(folder, 'session.ndjson');
const TAP = [process.execPath, PROGRAM, 'tap', '--out', file, '--'];

beforeAll(async () => {
  const input = 'get-sum a=2 b=3\necho message=hi\nno/such\n';
  await tincan(['repl', '--era', 'legacy', '--', ...TAP, ...OFFICIAL('everything')], { input });
});

describe('tincan show', () => {
  it('prints the calls in order with latency and outcome', async () => {
    const { stdout, code } = await tincan(['show', file]);
    const lines = stdout.split('\n');
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at('→ initialize')).toBe(0);
    expect(at('→ tools/call get-sum')).toBeGreaterThan(at('→ tools/list'));
    expect(lines[at('→ no/such')]).toContain('✗ -32601');
    expect(lines[at('tools/call echo')]).toMatch(/[\d.]+ m?s .*✓/);
    expect(stdout).toMatch(/5 calls · 1 failed · 0 unanswered/);
    expect(code).toBe(0);
  });

  it('prints only trouble, only some methods, figures, JSON, whole messages', async () => {
    const errors = await tincan(['show', file, '--errors']);
    expect(errors.stdout.trim().split('\n')[0]).toContain('no/such');
    const some = await tincan(['show', file, '--method', 'tools/', '--json']);
    expect((JSON.parse(some.stdout) as unknown[]).length).toBeGreaterThanOrEqual(3);
    const stats = await tincan(['show', file, '--stats']);
    expect(stats.stdout).toMatch(/→ +tools\/call get-sum +1 +0 +0 +[\d.]+ ms/);
    const full = await tincan(['show', file, '--full', '--method', 'tools/call']);
    expect(full.stdout).toContain('"message": "hi"');
  });

  it('writes one page', async () => {
    const page = join(folder, 'page.html');
    const { code } = await tincan(['show', file, '--html', page]);
    expect(code).toBe(0);
    expect(readFileSync(page, 'utf8')).toMatch(
      /^<!doctype html>[\s\S]*tools\/call get-sum[\s\S]*<\/html>\n$/,
    );
  });

  it('finds the calls of a tool by its name', async () => {
    const { stdout } = await tincan(['show', file, '--method', 'get-sum', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ params: { name: 'get-sum' } }]);
  });

  it('says in one line that a page could not be written', async () => {
    const { stderr, code } = await tincan(['show', file, '--html', '/no/such/folder/x.html']);
    expect(stderr).toMatch(/^tincan: could not write `\/no\/such\/folder\/x\.html`: ENOENT.*\n$/);
    expect(code).toBe(3);
  });

  it('takes the latest recording that has something in it, and says which', async () => {
    const env = { XDG_STATE_HOME: join(folder, 'state') };
    const none = await tincan(['show'], { env });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('made none')]);
    await tincan(['tap', '--', process.execPath, '-e', '0'], { env });
    await tincan(['tap', '--', 'no-such-program'], { env });
    const { stdout, stderr } = await tincan(['show'], { env });
    expect(stdout).toContain('exit code 0');
    expect(stderr).toMatch(/state\/tincan\/recordings\/.*\.ndjson\n$/);
  });

  it('follows a recording until the session ends', async () => {
    const growing = join(folder, 'growing.ndjson');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    writeFileSync(growing, `${lines[0]}\n`);
    const child = spawn(process.execPath, [PROGRAM, 'show', '--follow', growing]);
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    await once(child.stdout, 'data');
    expect(text).toContain('→ initialize …');
    appendFileSync(growing, `${lines.slice(1).join('\n')}\n`);
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(text).toContain('no/such');
    expect(text).toContain('exit code 0');
  });

  it('reads what is left of a recording that was cut short, and refuses what is none', async () => {
    const cut = join(folder, 'cut.ndjson');
    writeFileSync(cut, readFileSync(file, 'utf8').slice(0, -30));
    expect((await tincan(['show', cut])).stderr).toContain('skipped 1 line that is not a record');
    writeFileSync(cut, 'hello\n');
    expect(await tincan(['show', cut])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('is not a recording'),
    });
  });

  it('ends quietly when its reader does', async () => {
    const child = spawn('sh', [
      '-c',
      `'${process.execPath}' '${PROGRAM}' show '${file}' --full | head -1`,
    ]);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await once(child, 'close');
    expect(stderr).toBe('');
  });
});

describe('tincan replay', () => {
  it('is the recorded server', async () => {
    const { stdout, code } = await tincan([
      'call',
      '-q',
      '--era',
      'legacy',
      '--tool',
      'echo',
      'message=hi',
      '--',
      process.execPath,
      PROGRAM,
      'replay',
      file,
    ]);
    // The recorded client was the repl; the call here has the same name and asks the same.
    expect([code, JSON.parse(stdout).content[0].text]).toEqual([0, 'Echo: hi']);
  });

  it('finds a live server to be as recorded', async () => {
    const { stdout, code } = await tincan(['replay', file, '--', ...OFFICIAL('everything')]);
    expect([code, stdout]).toEqual([0, '5 of 5 answers are as recorded\n']);
  });

  it('reports each answer that differs, with the place, and ends with exit code 1', async () => {
    const changed = join(folder, 'changed.ndjson');
    writeFileSync(changed, readFileSync(file, 'utf8').replace('2 and 3 is 5', '2 and 3 is 6'));
    const { stdout, code } = await tincan(['replay', changed, '--', ...OFFICIAL('everything')]);
    expect(code).toBe(1);
    expect(stdout).toContain('result.content[0].text');
    expect(stdout).toContain('recorded "The sum of 2 and 3 is 6."');
    expect(stdout).toContain('4 of 5 answers are as recorded');
    const ignored = await tincan([
      'replay',
      changed,
      '--ignore',
      'result.content[0].text',
      '--',
      ...OFFICIAL('everything'),
    ]);
    expect(ignored.code).toBe(0);
    const asJson = await tincan(['replay', changed, '--json', '--', ...OFFICIAL('everything')]);
    expect(JSON.parse(asJson.stdout)).toMatchObject([
      { method: 'tools/call', at: [{ path: 'result.content[0].text' }] },
    ]);
  });

  it('finds another server to be another', async () => {
    const { code, stdout } = await tincan(['replay', file, '--', ...OURS]);
    expect(code).toBe(1);
    expect(stdout).toContain('result.serverInfo.name');
  });
});
