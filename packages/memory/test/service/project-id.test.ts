import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalProjectId } from '../../src/service/project-id.ts';
import { makeTempFolder } from '../store/temp-folder.ts';

const folder = realpathSync(makeTempFolder());
const base = { home: join(folder, 'home'), cwd: join(folder, 'cwd') };
const canonical = (id: string): Promise<string> => canonicalProjectId(id, base);
mkdirSync(join(base.home, 'work'), { recursive: true });
mkdirSync(base.cwd, { recursive: true });

/** Makes a folder a linked worktree of another, as Git does. */
function linkWorktree(main: string, tree: string): void {
  const own = join(main, '.git', 'worktrees', 'w');
  mkdirSync(own, { recursive: true });
  mkdirSync(tree, { recursive: true });
  for (const path of [join(tree, '.git'), join(own, 'gitdir'), join(own, 'commondir')]) {
    rmSync(path, { force: true });
  }
  writeFileSync(join(tree, '.git'), `gitdir: ${own}\n`);
  writeFileSync(join(own, 'gitdir'), `${join(tree, '.git')}\n`);
  writeFileSync(join(own, 'commondir'), '../..\n');
}

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

  it('keeps its name below a file, however deep, and below a link to nowhere', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const deep = '/a'.repeat(1_900);
    expect(await canonical(file + deep)).toBe(file + deep);
    expect(await canonical(folder + deep)).toBe(folder + deep);
    symlinkSync(join(folder, 'gone'), join(folder, 'to-gone'));
    expect(await canonical(join(folder, 'to-gone', 'x', 'y'))).toBe(join(folder, 'to-gone/x/y'));
    const wide = join(folder, 'w'.repeat(300), 'x');
    expect(await canonical(wide)).toBe(wide);
  });

  it.runIf(process.platform !== 'win32')(
    'does not wait for a FIFO in the place of `.git` or of a file beside it',
    async () => {
      const [outer, inner] = [join(folder, 'outer'), join(folder, 'outer', 'inner')];
      mkdirSync(inner, { recursive: true });
      execFileSync('mkfifo', [join(inner, '.git')]);
      expect(await canonical(inner)).toBe(inner);
      linkWorktree(outer, inner);
      const own = join(outer, '.git', 'worktrees', 'w');
      expect(await canonical(inner)).toBe(outer);
      for (const name of ['gitdir', 'commondir']) {
        rmSync(join(own, name));
        execFileSync('mkfifo', [join(own, name)]);
        expect(await canonical(inner)).toBe(inner);
        linkWorktree(outer, inner);
      }
      execFileSync('mkfifo', [join(folder, 'fifo')]);
      expect(await canonical(join(folder, 'fifo', 'x'))).toBe(join(folder, 'fifo', 'x'));
    },
  );

  it('stops at the first `.git`', async () => {
    const [outer, inner] = [join(folder, 'first'), join(folder, 'first', 'inner')];
    mkdirSync(join(inner, '.git'), { recursive: true });
    linkWorktree(join(folder, 'elsewhere'), outer);
    expect(await canonical(outer)).toBe(join(folder, 'elsewhere'));
    expect(await canonical(join(inner, 'x'))).toBe(join(inner, 'x'));
  });

  it('looks for `.git` in 128 folders', async () => {
    const [main, tree] = [join(folder, 'far-main'), join(folder, 'far-tree')];
    linkWorktree(main, tree);
    const deep = 'a/'.repeat(127);
    mkdirSync(join(tree, deep, 'b'), { recursive: true });
    expect(await canonical(join(tree, deep))).toBe(join(main, deep).slice(0, -1));
    expect(await canonical(join(tree, deep, 'b'))).toBe(join(tree, deep, 'b'));
  });

  it('believes a `.git` file only if the worktree it names points back', async () => {
    const [victim, evil] = [join(folder, 'victim'), join(folder, 'evil')];
    const tree = join(folder, 'honest');
    linkWorktree(victim, tree);
    expect(await canonical(tree)).toBe(victim);
    mkdirSync(evil);
    // Names a worktree that is another folder's.
    writeFileSync(join(evil, '.git'), `gitdir: ${join(victim, '.git/worktrees/w')}`);
    expect(await canonical(evil)).toBe(evil);
    // Names a folder of its own, which points back and claims to belong to the repository.
    mkdirSync(join(evil, 'own'));
    writeFileSync(join(evil, '.git'), 'gitdir: own');
    writeFileSync(join(evil, 'own', 'gitdir'), join(evil, '.git'));
    writeFileSync(join(evil, 'own', 'commondir'), join(victim, '.git'));
    expect(await canonical(evil)).toBe(evil);
    // A file that is not Git's is not read to its end.
    writeFileSync(
      join(tree, '.git'),
      `gitdir: ${join(victim, '.git/worktrees/w')}\n${' '.repeat(9_000)}`,
    );
    expect(await canonical(tree)).toBe(tree);
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
