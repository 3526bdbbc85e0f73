import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { loadRuntime } from '../../../src/embed/onnx/runtime.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'onnx-runtime-'));
  made.push(root);
});

/** A package that leaves a mark when it is loaded; `mark` names the file. */
function plant(
  folder: string,
  { mark = 'mark', manifest }: { mark?: string; manifest?: object } = {},
) {
  write(
    join(folder, 'index.js'),
    `${requireAll(manifest)}
    require('node:fs').writeFileSync(${JSON.stringify(join(root, mark))}, 'ran');
    exports.InferenceSession = ${JSON.stringify(folder)};`,
  );
  if (manifest !== undefined) write(join(folder, 'package.json'), JSON.stringify(manifest));
  return folder;
}

function requireAll(manifest: { dependencies?: object } = {}): string {
  return Object.keys(manifest.dependencies ?? {})
    .map((name) => `require(${JSON.stringify(name)});`)
    .join('\n');
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  writeFileSync(path, content, { mode: 0o644 });
}

const hasRun = (mark = 'mark'): boolean => existsSync(join(root, mark));
const load = (runtime: string | undefined, installation = join(root, 'nowhere')): unknown =>
  loadRuntime(runtime, { modelPath: join(root, 'model'), installation }).InferenceSession;

describe('the runtime of transformer models', () => {
  it.each([
    [
      'the package itself',
      'app/node_modules/tincan-memory',
      'app/node_modules/tincan-memory/node_modules',
    ],
    ['the folder that holds the package', 'app/node_modules/tincan-memory', 'app/node_modules'],
    ['the folder of an unscoped copy', 'app/node_modules/memory', 'app/node_modules'],
    ['a clone', 'clone/packages/memory', 'clone/node_modules'],
  ])('comes from the program’s own installation: %s', (_, installation, holder) => {
    const folder = plant(join(root, holder, 'onnxruntime-node'));
    expect(load(undefined, join(root, installation))).toBe(folder);
  });

  it.each([
    ['beside the model', 'model/node_modules', 'app/node_modules/tincan-memory'],
    ['above the installation', 'node_modules', 'app/node_modules/tincan-memory'],
    ['above a program that is a single folder', 'node_modules', 'extensions/memory'],
    ['above a clone', 'node_modules', 'clone/packages/memory'],
  ])('is never loaded from %s', (_, holder, installation) => {
    plant(join(root, holder, 'onnxruntime-node'));
    expect(() => load(undefined, join(root, installation))).toThrow(/onnxruntime-node/);
    expect(hasRun()).toBe(false);
  });

  it('beside the model gets an error that names the line to add, and the line works', () => {
    const beside = plant(join(root, 'model/node_modules/onnxruntime-node'));
    expect(() => load(undefined)).toThrow(
      `is no longer loaded from beside a model: if you installed it there, add \`"runtime": ${JSON.stringify(beside)}\` to \`embedder\` in the configuration file`,
    );
    expect(load(beside)).toBe(beside);
  });

  it('that is missing gets an error with the command and the line', () => {
    expect(() => load(undefined)).toThrow(
      /is not installed: run `npm install --ignore-scripts --prefix .* onnxruntime-node` and add `"runtime": /,
    );
  });

  it('that is configured wins over the installation', () => {
    plant(join(root, 'app/node_modules/onnxruntime-node'), { mark: 'own' });
    const folder = plant(join(root, 'mine/node_modules/onnxruntime-node'));
    expect(load(folder, join(root, 'app/node_modules/tincan-memory'))).toBe(folder);
    expect(hasRun('own')).toBe(false);
  });

  it.each(['runtime', './runtime', 'onnxruntime-node'])('is not the relative path %s', (path) => {
    expect(() => load(path)).toThrow('expected `embedder.runtime` to be the absolute path');
  });
});

describe.skipIf(process.getuid === undefined)('a configured runtime', () => {
  it.each([
    ['its folder', '.', 0o775],
    ['its folder, sticky', '.', 0o1777],
    ['a file', 'index.js', 0o664],
    ['a file, for everybody', 'index.js', 0o646],
    ['a folder inside', 'bin', 0o757],
    ['a file deep inside', 'bin/napi/binding.node', 0o666],
    ['the folder above', '..', 0o770],
    ['a folder further above', '../..', 0o777],
  ])('is refused when others can write to %s', (_, place, mode) => {
    const folder = plant(join(root, 'mine/node_modules/onnxruntime-node'));
    write(join(folder, 'bin/napi/binding.node'), '');
    chmodSync(join(folder, place), mode);
    expect(() => load(folder)).toThrow(/other users can write to `.*run `chmod -R go-w /);
    expect(hasRun()).toBe(false);
    chmodSync(join(folder, place), mode & ~0o022);
    expect(load(folder)).toBe(folder);
  });

  it('may lie in a folder with the sticky bit, as /tmp is', () => {
    chmodSync(root, 0o1777);
    const folder = plant(join(root, 'mine/node_modules/onnxruntime-node'));
    expect(load(folder)).toBe(folder);
  });

  it('is refused when others can write to a package that it loads', () => {
    const manifest = { name: 'onnxruntime-node', main: 'index.js', dependencies: { common: '1' } };
    const folder = plant(join(root, 'mine/node_modules/onnxruntime-node'), { manifest });
    const common = plant(join(root, 'mine/node_modules/common'), { mark: 'common' });
    chmodSync(join(common, 'index.js'), 0o666);
    expect(() => load(folder)).toThrow('other users can write to');
    expect(hasRun('common')).toBe(false);
    chmodSync(join(common, 'index.js'), 0o644);
    expect(load(folder)).toBe(folder);
    expect(hasRun('common')).toBe(true);
  });

  it('is refused when a link leads where others can write', () => {
    const target = plant(join(root, 'open/runtime'));
    chmodSync(join(root, 'open'), 0o777);
    mkdirSync(join(root, 'mine'), { mode: 0o755 });
    symlinkSync(target, join(root, 'mine/link'));
    expect(() => load(join(root, 'mine/link'))).toThrow('other users can write to');
    const folder = plant(join(root, 'mine/runtime'));
    symlinkSync(join(target, 'index.js'), join(folder, 'more.js'));
    expect(() => load(folder)).toThrow('other users can write to');
    expect(hasRun()).toBe(false);
    chmodSync(join(root, 'open'), 0o755);
    expect(load(join(root, 'mine/link'))).toBe(target);
  });

  it('is refused when links go in a circle', () => {
    symlinkSync(join(root, 'b'), join(root, 'a'));
    symlinkSync(join(root, 'a'), join(root, 'b'));
    expect(() => load(join(root, 'a'))).toThrow('there is no');
  });

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)('is refused when it belongs to another user', () => {
    const folder = plant(join(root, 'mine/onnxruntime-node'));
    chownSync(join(folder, 'index.js'), 65_534, 65_534);
    expect(() => load(folder)).toThrow('belongs to another user (65534)');
    expect(hasRun()).toBe(false);
  });
});
