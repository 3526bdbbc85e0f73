import { defineConfig } from 'vitest/config';

const conditions = ['tincan-source', 'node', 'import', 'default'];

/** Unit tests share one thread pool without isolation; end-to-end tests spawn built programs and stand alone. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // Far above what any test needs: a busy machine is no failure.
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts', 'tools/test/*.test.ts'],
          exclude: ['packages/*/test/e2e/**'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: [
            'packages/*/test/e2e/**/*.test.ts',
            'examples/*.test.ts',
            'tools/test/e2e/*.test.ts',
          ],
          pool: 'forks',
        },
      },
    ],
  },
});
