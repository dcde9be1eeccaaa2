import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Cruise {
  summary: {
    violations: { from: string; rule: { name: string } }[];
    ruleSetUsed: { forbidden: { name: string }[] };
  };
}

const violations: Record<string, string> = {
  'no-circular-imports': 'apps/server/src/case-file/circular-one.ts',
  'no-unresolved-imports': 'apps/server/src/case-file/imports-missing-file.ts',
  'no-index-files-except-package-entries': 'apps/server/src/case-file/imports-index.ts',
  'contract-imports-only-typebox': 'packages/contract/src/imports-node.ts',
  'pusher-protocol-imports-only-node-crypto': 'packages/pusher-protocol/src/imports-net.ts',
  'format-imports-nothing': 'packages/format/src/imports-contract.ts',
  'pdf-imports-no-other-workspace': 'packages/pdf/src/imports-contract.ts',
  'state-files-are-pure': 'apps/server/src/payments/impure-states.ts',
  'firm-imports-only-itself': 'apps/server/src/firm/imports-case-file.ts',
  'people-imports-only-firm': 'apps/server/src/people/imports-case-file.ts',
  'case-file-imports-only-people-and-firm': 'apps/server/src/case-file/imports-payments.ts',
  'payments-imports-only-case-file-and-people-and-firm': 'apps/server/src/payments/imports-live.ts',
  'parts-of-payments-import-only-earlier-layers': 'apps/server/src/payments/records/imports-intents.ts',
  'parts-of-payments-have-a-layer': 'apps/server/src/payments/new-part/has-no-layer.ts',
  'live-imports-only-itself': 'apps/server/src/live/imports-case-file.ts',
  'records-imports-only-payments-and-case-file-and-people-and-firm-and-live':
    'apps/server/src/records/imports-door.ts',
  'only-doors-import-http': 'apps/server/src/case-file/imports-http.ts',
  'only-composition-imports-adapters-and-settings': 'apps/server/src/case-file/imports-adapter.ts',
  'adapters-import-only-ports-platform-and-schema': 'apps/server/src/adapters/files/imports-use-case.ts',
  'http-imports-only-platform': 'apps/server/src/http/imports-case-file.ts',
  'settings-import-only-contract-and-platform': 'apps/server/src/settings/imports-case-file.ts',
  'platform-imports-only-schema': 'apps/server/src/platform/imports-http.ts',
  'dashboard-imports-no-server-code': 'apps/dashboard/src/features/x/imports-server.ts',
  'dashboard-imports-no-staff-contract': 'apps/dashboard/src/features/x/imports-staff-contract.ts',
  'only-the-desk-imports-the-desk': 'apps/dashboard/src/features/x/imports-desk.ts',
  'desk-imports-no-server-code': 'apps/desk/src/features/x/imports-server.ts',
  'only-the-preview-of-the-desk-imports-the-dashboard': 'apps/desk/src/features/x/imports-dashboard.ts',
  'desk-features-are-independent': 'apps/desk/src/features/y/imports-feature-x.ts',
  'desk-ui-imports-no-features': 'apps/desk/src/ui/imports-feature-x.ts',
  'clients-contract-imports-no-staff-contract': 'packages/contract/src/imports-staff.ts',
  'dashboard-features-are-independent': 'apps/dashboard/src/features/y/imports-feature-x.ts',
  'ui-imports-only-browser-and-format': 'packages/ui/src/imports-contract.ts',
  'browser-imports-only-the-contract': 'packages/browser/src/imports-format.ts',
  'dashboard-ui-imports-no-business-code': 'apps/dashboard/src/ui/imports-feature-x.ts',
  'api-imports-only-the-contract': 'apps/dashboard/src/api/imports-ui.ts',
  'realtime-imports-only-the-api': 'apps/dashboard/src/realtime/imports-feature-x.ts',
  'delivery-imports-only-the-api-and-navigation': 'apps/dashboard/src/delivery/imports-ui.ts',
  'telemetry-imports-only-the-api-and-navigation': 'apps/dashboard/src/telemetry/imports-feature-x.ts',
  'navigation-imports-only-the-contract': 'apps/dashboard/src/navigation/imports-ui.ts',
  'only-tests-import-testkit': 'apps/server/src/case-file/imports-testkit.ts',
};

describe('import rules', () => {
  const root = join(import.meta.dirname, '../..');
  const cruise = JSON.parse(
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ...['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'rules/imports/violations'],
      ],
      { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 },
    ),
  ) as Cruise;

  test('each rule has a fixture that breaks it', () => {
    expect(Object.keys(violations).sort()).toEqual(
      [...new Set(cruise.summary.ruleSetUsed.forbidden.map((rule) => rule.name))].sort(),
    );
  });

  test.each(Object.entries(violations))('%s reports the fixture that breaks it', (rule, file) => {
    const reported = cruise.summary.violations.filter((violation) => violation.rule.name === rule);
    expect(reported.map((violation) => violation.from)).toContain(`rules/imports/violations/${file}`);
  });
});
