import { afterEach, expect, it, vi } from 'vitest';
import { loadNodeSqlite } from '../../../../src/store/sqlite/driver/node-sqlite.ts';

afterEach(() => vi.restoreAllMocks());

it("drops Node's warning about its SQLite, and no other", () => {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => {
    process.emitWarning('SQLite is an experimental feature', 'ExperimentalWarning');
    process.emitWarning('Another experimental feature', 'ExperimentalWarning');
    process.emitWarning('SQLite is deprecated', 'DeprecationWarning', 'DEP1');
    return undefined;
  });
  const before = process.emitWarning;
  expect(loadNodeSqlite()).toBeUndefined();
  expect(process.emitWarning).toBe(before);
  expect(emitted.mock.calls).toEqual([
    ['Another experimental feature', 'ExperimentalWarning'],
    ['SQLite is deprecated', 'DeprecationWarning', 'DEP1'],
  ]);
});
