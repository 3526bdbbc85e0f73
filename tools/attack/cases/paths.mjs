// Projects that name what the server must not follow, read, wait for or take for another project.

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { named, oneOf } from '../expectation.mjs';

const refused = { error: { code: -32602, data: { path: 'projectId' } } };
const isItself = (projectId) => ({ result: { canonicalProjectId: projectId } });
const isAbsolute = { result: { canonicalProjectId: /^\// } };
const long = (bytes) => '/a'.repeat(bytes / 2);

/** A path in the folder that `makeTraps` fills. */
const trap = (name, expected) => ({
  name: `a folder with ${name.replaceAll('-', ' ')}`,
  trap: name,
  expected,
});
const isOwn = named('the folder itself', ({ result }) =>
  result?.canonicalProjectId.endsWith('/inside'),
);

export const paths = [
  ['4,096 bytes of folders', long(4_096), isItself(long(4_096))],
  ['4,098 bytes of folders', long(4_098), refused],
  ['10 KB of folders', long(10_000), refused],
  ['40 KB of folders', long(40_000), refused],
  ['400 KB of folders', long(400_000), refused],
  ['900 KB of folders', long(900_000), refused],
  ['400 KB of dots', '/..'.repeat(130_000), refused],
  ['400 KB of slashes', '/'.repeat(400_000), refused],
  ['400 KB that starts at home', `~/${'a/'.repeat(200_000)}`, refused],
  ['a name of 4,096 bytes', 'x'.repeat(4_096), isItself('x'.repeat(4_096))],
  ['a name of 4,097 bytes', 'x'.repeat(4_097), refused],
  ['a name of 4,097 bytes in few characters', '€'.repeat(1_366), refused],
  ['NUL in a path', '/etc\0/passwd', refused],
  ['a folder with a name of 4,000 bytes', `/${'x'.repeat(4_000)}`, isAbsolute],
  ['a file', '/etc/passwd', isItself('/etc/passwd')],
  ['a file as a folder', '/etc/passwd/x/y', isAbsolute],
  ['dots beyond the root', '/../../../../etc', isItself('/etc')],
  ['endless zeros', '/dev/zero', isItself('/dev/zero')],
  ['below endless zeros', '/dev/zero/x', isAbsolute],
  ['the input of the server', '/dev/stdin', isAbsolute],
  ['the memory of the server', '/proc/self/mem', isAbsolute],
  ['the root of the server', '/proc/self/root/etc', isAbsolute],
  ['the folder of the server', '/proc/self/cwd', isAbsolute],
  ['open files of the server', '/proc/self/fd/0/x', isAbsolute],
  ['another user', '~root', isItself('~root')],
  ['a URL of a file', 'file:///etc/passwd', isItself('file:///etc/passwd')],
  ['escaped dots', '%2e%2e%2fetc%2fpasswd', isItself('%2e%2e%2fetc%2fpasswd')],
  ['a share', '\\\\server\\share', { result: {} }],
  ['a drive', 'C:\\Windows', isItself('C:\\Windows')],
  ['a prototype', '__proto__', isItself('__proto__')],
  ['a constructor', 'constructor', isItself('constructor')],
  ['a line break', '/a\nb', isItself('/a\nb')],
  ['half a character', '/a\ud800', isAbsolute],
  ['an option', '--help', isItself('--help')],
  ['blanks', '   ', oneOf(refused, isItself('   '))],
  ['nothing', '', refused],
].map(([name, projectId, expected]) => ({ name, projectId, expected }));

export const traps = [
  trap('a-pipe-as-git', isOwn),
  trap('a-git-of-1-GiB', isOwn),
  trap('a-git-that-names-a-device', isOwn),
  trap('a-git-that-names-another-repository', isOwn),
  trap('a-git-that-names-itself', isOwn),
  trap('a-git-of-garbage', isOwn),
  trap('a-git-of-a-long-line', isOwn),
  trap('a-git-folder-as-link-to-itself', isOwn),
  trap('a-commondir-of-a-device', isOwn),
];

/** Makes a folder for each trap, with the project in `inside`. */
export function makeTraps(home) {
  const inside = (name) => {
    const folder = join(home, 'traps', name, 'inside');
    mkdirSync(folder, { recursive: true });
    return join(folder, '.git');
  };
  execFileSync('mkfifo', [inside('a-pipe-as-git')]);
  writeFileSync(inside('a-git-of-1-GiB'), 'gitdir: ');
  truncateSync(inside('a-git-of-1-GiB'), 2 ** 30);
  writeFileSync(inside('a-git-that-names-a-device'), 'gitdir: /dev/zero\n');
  const other = join(home, 'victim', '.git', 'worktrees', 'one');
  mkdirSync(other, { recursive: true });
  writeFileSync(join(other, 'commondir'), '../..\n');
  writeFileSync(join(other, 'gitdir'), `${join(home, 'elsewhere', '.git')}\n`);
  writeFileSync(inside('a-git-that-names-another-repository'), `gitdir: ${other}\n`);
  writeFileSync(inside('a-git-that-names-itself'), 'gitdir: .git\n');
  writeFileSync(inside('a-git-of-garbage'), Buffer.from([0xff, 0xfe, 0, 1, 2, 0x80]));
  writeFileSync(inside('a-git-of-a-long-line'), `gitdir: ${'/a'.repeat(500_000)}\n`);
  symlinkSync('.git', inside('a-git-folder-as-link-to-itself'));
  const own = join(home, 'traps', 'a-commondir-of-a-device', 'own');
  mkdirSync(own, { recursive: true });
  symlinkSync('/dev/zero', join(own, 'commondir'));
  writeFileSync(inside('a-commondir-of-a-device'), `gitdir: ${own}\n`);
}

/** Adds a note to the project and resolves with the answer. */
export function playPath(server, { projectId, trap: name }) {
  const path = projectId ?? join(server.home, 'traps', name, 'inside');
  return server.call('memory.add_note', { projectId: path, groupId: 'g', text: 'x' });
}
