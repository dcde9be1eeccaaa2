import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { read, root } from './read-deployment.ts';

interface Job {
  steps: { uses?: string; with?: Record<string, unknown>; run?: string }[];
  env?: Record<string, string>;
  'timeout-minutes'?: number;
}
const readWorkflow = (name: string): { on: Record<string, unknown>; jobs: Record<string, Job> } =>
  parse(readFileSync(join(root, '.github/workflows', name), 'utf8'));
const workflows = {
  'ci.yml': readWorkflow('ci.yml'),
  'nightly.yml': readWorkflow('nightly.yml'),
  'packages.yml': readWorkflow('packages.yml'),
};
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commandsOf = (job: Job) => job.steps.map(({ run }) => run ?? '').join('\n');
const nightly = Object.values(workflows['nightly.yml'].jobs);

test.each(Object.entries(workflows))('the workflow %s runs only commands that exist', (_name, { jobs }) => {
  for (const job of Object.values(jobs)) {
    const names = [...commandsOf(job).matchAll(/npm (?:run )?([a-z][\w:-]+)/g)].map(([, name = '']) => name);
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
    expect(job['timeout-minutes']).toBeGreaterThan(0);
  }
});

test('a workflow runs the long tests and the benchmark of live updates every night', () => {
  expect(workflows['nightly.yml'].on.schedule).toEqual([{ cron: expect.any(String) }]);
  const commands = nightly.map(commandsOf).join('\n');
  expect(commands).toContain('npm run test:long');
  expect(commands).toContain('npm run bench:fan-out');
});

test('a workflow audits the packages every day and for each release, and keeps the list of components', () => {
  const { on, jobs } = workflows['packages.yml'];
  expect(on).toMatchObject({ schedule: [{ cron: expect.any(String) }], push: { tags: ['v*'] } });
  const commands = Object.values(jobs).map(commandsOf).join('\n');
  expect(commands).toContain('npm run audit:packages');
  expect(commands).toContain('npm run release:components -- keyturn.cdx.json');
});

test.each(['ci.yml', 'nightly.yml'] as const)(
  '%s checks out the whole history and installs Redis before the tests',
  (name) => {
    const { jobs } = workflows[name];
    const testing = Object.values(jobs).filter((job) => /npm (test|run test:long)/.test(commandsOf(job)));
    expect(testing).toHaveLength(1);
    for (const { steps } of testing) {
      const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
      expect(checkout?.with).toEqual({ 'fetch-depth': 0 });
      const installation = steps.findIndex(({ run }) => run?.includes('install --yes redis-server'));
      expect(installation).toBeGreaterThan(-1);
      expect(installation).toBeLessThan(steps.findIndex(({ run }) => run?.startsWith('npm')));
    }
  },
);

test('the nightly workflow starts the Compose file with every variable that it requires', () => {
  const job = nightly.find((candidate) => commandsOf(candidate).includes('docker compose'));
  const required = [...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name = '']) => name);
  expect(required.length).toBeGreaterThan(5);
  expect(Object.keys(job?.env ?? {})).toEqual(expect.arrayContaining([...new Set(required)]));
});
