import { describe, expect, it } from 'vitest';
import {
  assertSafeVersion,
  driverMissing,
  isDriverMissing,
} from '../../../src/store/sqlite/driver.ts';
import { toStoreError } from '../../../src/store/sqlite/store-error.ts';

describe('the SQLite driver', () => {
  it.each(['3.51.3', '3.51.10', '3.52.0', '4.0.0'])('accepts version %s', (version) => {
    expect(() => assertSafeVersion(version)).not.toThrow();
  });

  it.each(['3.51.2', '3.45.1', '3.7.0', '2.99.99'])(
    'refuses version %s, which can lose writes',
    (version) => {
      expect(() => assertSafeVersion(version)).toThrow(version);
    },
  );

  it.each([
    Object.assign(new Error('x'), { code: 'ERR_DLOPEN_FAILED' }),
    new Error('Could not locate the bindings file. Tried: …'),
  ])('tells the command that builds a missing binding', (error) => {
    expect(isDriverMissing(error)).toBe(true);
    expect(toStoreError(error, '/x')).toMatchObject({
      code: 'DRIVER_MISSING',
      message: expect.stringContaining('npm rebuild better-sqlite3'),
    });
  });

  it('keeps what went wrong underneath', () => {
    const cause = new Error('deep');
    expect(driverMissing(cause).cause).toBe(cause);
  });
});

describe('errors of the store', () => {
  it.each([
    ['SQLITE_FULL', 'STORE_FULL'],
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

  it('leaves other errors as they are', () => {
    const error = new RangeError('no');
    expect(toStoreError(error, '/store')).toBe(error);
  });
});
