import { defineConfig } from 'vitest/config';

/** Tests wait for conditions. These limits only end a test that hangs, so a busy machine fails none. */
const patience = { testTimeout: 300_000, hookTimeout: 240_000, expect: { poll: { timeout: 20_000 } } };

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
          maxWorkers: 2,
          // Most of a file's time went into importing the server again.
          isolate: false,
          sequence: { groupOrder: 0, shuffle: { files: true, tests: true } },
          ...patience,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/harness/global-setup.ts'],
          // They often wait for servers and pages, so two cores carry three.
          maxWorkers: 3,
          // The files of a worker share its browser.
          isolate: false,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
    ],
  },
});
