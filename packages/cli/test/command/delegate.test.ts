import { describe, expect, it } from 'vitest';
import { repairFor } from '../../src/command/delegate.ts';
import type { OwnPackage } from '../../src/command/own-package.ts';

describe('the fix for a package that is not installed', () => {
  const own: OwnPackage = {
    folder: '/x/node_modules/tincan-cli',
    name: 'tincan-cli',
    version: '1.2.3',
    program: '/x/node_modules/tincan-cli/bin/tincan.js',
    isReleased: false,
    clone: undefined,
  };

  it.each([
    ['after a release', { isReleased: true }, 'run `npx -y tincan-memory@1.2.3` instead'],
    ['in a clone', { clone: '/my clone' }, "run `npm run build --prefix '/my clone'` first"],
    [
      'beside a tarball',
      {},
      'install its tarball where `tincan-cli` is installed: /x/node_modules',
    ],
  ])('is a command that works %s', (_, parts, fix) => {
    expect(repairFor('tincan-memory', { ...own, ...parts })).toContain(fix);
  });
});
