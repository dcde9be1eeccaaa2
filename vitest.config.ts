import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import LongestFirst from './e2e/harness/run/longest-first.ts';
import { runSeed } from './packages/testkit/src/random/run-seed.ts';
import { runLength } from './packages/testkit/src/run-length.ts';
import { heavyFiles } from './scripts/test-lists.mjs';

/** Tests wait for conditions. These limits only end a test that hangs, so a busy machine fails none. */
const patience = {
  testTimeout: runLength({ short: 300_000, long: 3_600_000 }),
  hookTimeout: 240_000,
  expect: { poll: { timeout: 20_000 } },
  // A rare failure must not stop a release; scripts/second-attempts-reporter.mjs names the test that has it.
  retry: process.env.CI ? 1 : 0,
};

/**
 * Workers of each kind of tests: first those with browsers, of which two cores carry three, then unit tests, which wait for
 * PostgreSQL for half of their time.
 */
const workers = { unit: 4, e2e: 3 };

/**
 * Tests use the sources of the workspace's packages, not their builds. The condition `module` is for bundlers: Node.js
 * cannot load what packages have for it.
 */
const conditions = ['source', ...defaultServerConditions.filter((condition) => condition !== 'module')];
const fromSources = { ssr: { resolve: { conditions } } };

const heavyUnitTests = heavyFiles.map((name) => `{apps/*/src,packages/*/src,rules}/**/${name}.test.ts`);
const unit = {
  globalSetup: ['packages/testkit/src/global-setup.ts'],
  setupFiles: ['packages/testkit/src/random/seed-fast-check.ts'],
  maxWorkers: workers.unit,
  // Most of a file's time went into importing the server again.
  isolate: false,
  // With Node's own size, a worker collected garbage for 7 % of its time.
  execArgv: ['--max-semi-space-size=64'],
  // Loaded again by the test of what it changes in the browser's history when it is loaded.
  server: { deps: { inline: ['wouter'] } },
  sequence: { groupOrder: 1, shuffle: { files: true, tests: true } },
  ...patience,
};
const browser = {
  globalSetup: ['e2e/harness/global-setup.ts'],
  setupFiles: ['e2e/harness/run/keep-failures.ts'],
  maxWorkers: workers.e2e,
  // The files of a worker share its browser.
  isolate: false,
  sequence: { groupOrder: 0 },
  ...patience,
};

/** scripts/test-lists.mjs says which command runs which projects. */
export default defineConfig({
  test: {
    // Files that have not changed are not compiled again in the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    sequence: { sequencer: LongestFirst, seed: runSeed },
    projects: [
      {
        ...fromSources,
        test: {
          name: 'unit',
          include: [
            'apps/*/src/**/*.test.{ts,tsx}',
            'packages/*/src/**/*.test.{ts,tsx}',
            'demo/**/*.test.ts',
            'rules/**/*.test.ts',
            'e2e/history/check/*.test.ts',
          ],
          exclude: [...heavyUnitTests, '**/node_modules/**'],
          ...unit,
        },
      },
      { ...fromSources, test: { name: 'unit-all', include: heavyUnitTests, ...unit } },
      {
        ...fromSources,
        // At the same time as the unit tests, whose number of workers it must have then.
        test: {
          name: 'main-jobs',
          include: ['e2e/main-jobs/*.test.ts'],
          ...browser,
          maxWorkers: workers.unit,
          sequence: unit.sequence,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/main-jobs/**', 'e2e/history/check/**', '**/node_modules/**'],
          ...browser,
        },
      },
    ],
  },
});
