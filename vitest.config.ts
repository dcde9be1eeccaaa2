import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'apps/*/src/**/*.test.{ts,tsx}',
            'packages/*/src/**/*.test.ts',
            'demo/**/*.test.ts',
            'rules/**/*.test.ts',
          ],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          // They wait for their database, and for moments to come, most of the time.
          maxWorkers: 2,
          sequence: { groupOrder: 0, shuffle: { files: true, tests: true } },
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/harness/global-setup.ts'],
          // Each file starts servers and a browser of its own, and waits for them most of the time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
