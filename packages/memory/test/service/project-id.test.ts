import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalProjectId } from '../../src/service/project-id.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const folder = realpathSync(makeTempFolder());
const base = { home: join(folder, 'home'), cwd: join(folder, 'cwd') };
const canonical = (id: string): Promise<string> => canonicalProjectId(id, base);
mkdirSync(join(base.home, 'work'), { recursive: true });
mkdirSync(base.cwd, { recursive: true });

describe('a project id', () => {
  it.each([
    ['my-project'],
    ['org/repo'],
    ['github.com/org/repo'],
    ['~user'],
    ['文章'],
    ['.hidden'],
    ['a b'],
  ])('stays itself when it is no path: %s', async (id) => {
    expect(await canonical(id)).toBe(id);
  });

  it.each([
    ['~', ''],
    ['~/work', 'work'],
    ['~/work/', 'work'],
    ['~/not/there', 'not/there'],
    ['~/work/../work/./x', 'work/x'],
  ])('begins at home: %s', async (id, expected) => {
    expect(await canonical(id)).toBe(join(base.home, expected));
  });

  it.each([
    ['.', ''],
    ['./x', 'x'],
    ['..', '..'],
    ['../cwd', ''],
  ])('begins at the working folder: %s', async (id, expected) => {
    expect(await canonical(id)).toBe(join(base.cwd, expected));
  });

  it('is the real place behind links, also for what is not there yet', async () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(await canonical(join(folder, 'link'))).toBe(join(folder, 'real'));
    expect(await canonical(join(folder, 'link', 'later'))).toBe(join(folder, 'real', 'later'));
  });

  it('is the path as given when links go round in circles or nowhere', async () => {
    symlinkSync(join(folder, 'b'), join(folder, 'a'));
    symlinkSync(join(folder, 'a'), join(folder, 'b'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(await canonical(join(folder, 'a'))).toBe(join(folder, 'a'));
    expect(await canonical(join(folder, 'a', 'x'))).toBe(join(folder, 'a', 'x'));
    expect(await canonical(join(folder, 'dangling'))).toBe(join(folder, 'dangling'));
  });

  it('is one for all worktrees of a repository, folder by folder', async () => {
    const main = join(folder, 'main');
    const git = (...args: string[]): void => {
      execFileSync('git', ['-C', main, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
    };
    mkdirSync(join(main, 'packages'), { recursive: true });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    git('worktree', 'add', '-q', join(folder, 'tree'));
    mkdirSync(join(folder, 'tree', 'packages'));
    expect(await canonical(main)).toBe(main);
    expect(await canonical(join(folder, 'tree'))).toBe(main);
    expect(await canonical(join(folder, 'tree', 'packages'))).toBe(join(main, 'packages'));
    expect(await canonical(join(main, 'packages'))).toBe(join(main, 'packages'));
  });

  it.each([
    ['no sense', 'what is this'],
    ['a place that is gone', 'gitdir: /nowhere/at/all'],
    ['a submodule, which has no common folder', `gitdir: ${folder}`],
  ])('is not misled by a `.git` file with %s', async (name, content) => {
    const place = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(place);
    writeFileSync(join(place, '.git'), content);
    expect(await canonical(place)).toBe(place);
  });
});
