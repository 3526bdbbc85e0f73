import { describe, expect, it } from 'vitest';
import { isSafeVersion } from '../../../src/store/sqlite/driver/safe-version.ts';
import { sqliteCode } from '../../../src/store/sqlite/driver/sqlite-code.ts';
import { loadDriver } from '../../../src/store/sqlite/driver.ts';
import { toStoreError } from '../../../src/store/sqlite/store-error.ts';
import { availableDrivers } from './driver/drivers.ts';

describe('the SQLite driver', () => {
  it.each(['3.51.3', '3.51.10', '3.52.0', '4.0.0'])('takes SQLite %s', (version) => {
    expect(isSafeVersion(version)).toBe(true);
  });

  it.each(['3.51.2', '3.45.1', '3.7.0', '2.99.99'])(
    'refuses SQLite %s, which can lose writes',
    (version) => {
      expect(isSafeVersion(version)).toBe(false);
    },
  );

  it("is Node's own where that is safe, otherwise the package", () => {
    const safe = availableDrivers().filter(([, { sqliteVersion }]) => isSafeVersion(sqliteVersion));
    expect(loadDriver().name).toBe(safe[0]?.[0]);
  });
});

describe('errors of the store', () => {
  it.each([
    ['SQLITE_FULL', 'STORE_FULL'],
    ['SQLITE_IOERR_WRITE', 'STORE_FULL'],
    ['SQLITE_READONLY_DBMOVED', 'STORE_READ_ONLY'],
    ['SQLITE_BUSY', 'STORE_BUSY'],
    ['SQLITE_CORRUPT_VTAB', 'STORE_CORRUPT'],
    ['SQLITE_NOTADB', 'STORE_CORRUPT'],
    ['SQLITE_CANTOPEN', 'STORE'],
    ['SQLITE_IOERR_FSYNC', 'STORE'],
  ])('says %s as %s', (code, expected) => {
    const error = Object.assign(new Error('engine'), { code });
    expect(toStoreError(error, '/store')).toMatchObject({ code: expected, cause: error });
  });

  it.each([
    [5, 'SQLITE_BUSY', 'STORE_BUSY'],
    [261, 'SQLITE_BUSY (261)', 'STORE_BUSY'],
    [13, 'SQLITE_FULL', 'STORE_FULL'],
    [778, 'SQLITE_IOERR_WRITE', 'STORE_FULL'],
    [1034, 'SQLITE_IOERR (1034)', 'STORE'],
    [1032, 'SQLITE_READONLY (1032)', 'STORE_READ_ONLY'],
    [26, 'SQLITE_NOTADB', 'STORE_CORRUPT'],
    [267, 'SQLITE_CORRUPT (267)', 'STORE_CORRUPT'],
  ])("says Node's error %i as %s and %s", (errcode, name, expected) => {
    const error = Object.assign(new Error('engine'), { code: 'ERR_SQLITE_ERROR', errcode });
    expect(sqliteCode(error)).toBe(name);
    expect(toStoreError(error, '/store')).toMatchObject({ code: expected, cause: error });
  });

  it('leaves other errors as they are', () => {
    const error = new RangeError('no');
    expect(toStoreError(error, '/store')).toBe(error);
  });
});
