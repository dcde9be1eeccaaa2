import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import LongestFirst from './e2e/harness/longest-first.ts';
import { runLength } from './packages/testkit/src/run-length.ts';

/** Tests wait for conditions. These limits only end a test that hangs, so a busy machine fails none. */
const patience = {
  testTimeout: runLength({ short: 300_000, long: 3_600_000 }),
  hookTimeout: 240_000,
  expect: { poll: { timeout: 20_000 } },
};

/** Tests use the sources of the workspace's packages, not their builds. */
const fromSources = { ssr: { resolve: { conditions: ['source', ...defaultServerConditions] } } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        ...fromSources,
        test: {
          name: 'unit',
          include: [
            'apps/*/src/**/*.test.{ts,tsx}',
            'packages/*/src/**/*.test.ts',
            'demo/**/*.test.ts',
            'rules/**/*.test.ts',
          ],
          globalSetup: ['packages/testkit/src/global-setup.ts'],
          // They partly wait for PostgreSQL, so two cores carry three.
          maxWorkers: 3,
          // Most of a file's time went into importing the server again.
          isolate: false,
          // With Node's own size, a worker collected garbage for 7 % of its time.
          execArgv: ['--max-semi-space-size=64'],
          // Loaded again by the test of what it changes in the browser's history when it is loaded.
          server: { deps: { inline: ['wouter'] } },
          sequence: { groupOrder: 0, shuffle: { files: true, tests: true } },
          ...patience,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/harness/global-setup.ts'],
          // Each has a server, a database and a browser, which are busy at the same time. More take longer in all.
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
