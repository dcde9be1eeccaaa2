import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Cruise {
  summary: {
    violations: { from: string; rule: { name: string } }[];
    ruleSetUsed: { forbidden: { name: string }[] };
  };
}

const offenders: Record<string, string> = {
  'no-rings': 'apps/server/src/features/a/ring-one.ts',
  'no-missing-files': 'apps/server/src/features/a/missing.ts',
  'no-index-files-but-a-package-entry': 'apps/server/src/features/a/uses-index.ts',
  'contract-stands-on-typebox-alone': 'packages/contract/src/reads-files.ts',
  'pusher-protocol-stands-on-node-crypto-alone': 'packages/pusher-protocol/src/opens-sockets.ts',
  'states-are-pure': 'apps/server/src/features/a/money-states.ts',
  'features-meet-only-in-compose': 'apps/server/src/features/b/meets-a.ts',
  'features-know-no-adapter': 'apps/server/src/features/a/uses-disk.ts',
  'only-routes-know-http': 'apps/server/src/features/b/use-case.ts',
  'adapters-know-ports-and-platform': 'apps/server/src/adapters/files/knows-use-case.ts',
  'http-knows-no-feature': 'apps/server/src/http/answers.ts',
  'platform-knows-nobody': 'apps/server/src/platform/knows-http.ts',
  'the-browser-never-imports-the-server': 'apps/dashboard/src/features/x/imports-server.ts',
  'dashboard-features-do-not-meet': 'apps/dashboard/src/features/y/meets-x.ts',
  'ui-knows-no-business': 'apps/dashboard/src/ui/knows-x.ts',
  'api-knows-the-contract-alone': 'apps/dashboard/src/api/knows-ui.ts',
  'delivery-knows-the-api-alone': 'apps/dashboard/src/delivery/knows-ui.ts',
  'testkit-is-for-tests': 'apps/server/src/features/b/uses-testkit.ts',
};

describe('each import rule bites', () => {
  const root = join(import.meta.dirname, '..');
  const cruise = JSON.parse(
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ...['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'import-rules/offenders'],
      ],
      { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
    ),
  ) as Cruise;

  test('has a deliberate offender', () => {
    expect(Object.keys(offenders).sort()).toEqual(
      cruise.summary.ruleSetUsed.forbidden.map((rule) => rule.name).sort(),
    );
  });

  test.each(Object.entries(offenders))('%s', (rule, file) => {
    const caught = cruise.summary.violations.filter((violation) => violation.rule.name === rule);
    expect(caught.map((violation) => violation.from)).toContain(`import-rules/offenders/${file}`);
  });
});
