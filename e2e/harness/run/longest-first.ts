import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take more than 15 seconds, longest first. If one of them started last, it would run alone at the end.
 * Of the files that mostly wait, one at a time runs next to others that need the processor.
 */
const longFiles = [
  'e2e/journeys/two-servers',
  'e2e/journeys/pay-with-stripe',
  'e2e/history/payments-history',
  'e2e/journeys/every-route',
  'e2e/journeys/pay-for-a-search',
  'e2e/delivery/new-build',
  'e2e/faults/card-numbers-are-kept-nowhere',
  'e2e/start/start-up',
  'e2e/crash/killed-at-each-step',
  'e2e/faults/pay-in-a-bad-moment',
  'e2e/journeys/make-another-payment',
  'e2e/accessibility/screens',
  'e2e/journeys/real-time',
  'e2e/telemetry/record-sessions',
  'e2e/journeys/pay-by-bank',
  'e2e/delivery/prerender',
  'e2e/desk/work-by-keyboard',
  'e2e/journeys/persisted-state',
  'e2e/journeys/maintenance',
  'e2e/telemetry/report-errors',
  'e2e/journeys/client-account',
  'e2e/desk/sign-in',
  'e2e/main-jobs/conveyancers-morning',
  'e2e/crash/payments-survive-sigkill',
  'e2e/start/sign-a-heavy-document',
  'e2e/journeys/browse-case-history',
  'e2e/journeys/failures',
  'e2e/start/development',
  'e2e/crash/batch-survives-sigkill',
  'e2e/journeys/read-and-sign-a-document',
  'e2e/journeys/bills-and-card-purposes',
  'e2e/journeys/pay-by-link',
  'e2e/start/verify-signature',
  'e2e/crash/receipt-survives-sigkill',
  'e2e/journeys/pay-by-bank-with-stripe',
  'e2e/journeys/password-reset-and-inactivity',
  'e2e/delivery/split-hosting',
  'e2e/start/import-command',
  'e2e/journeys/confirm-identity-to-sign',
  'composition/silent-database',
  'composition/documents-with-s3',
  'adapters/postgres/open-database',
  'composition/any-input',
  'recovery/restore-from-backup',
  'backup/backup',
  'adapters/postgres/run-jobs',
  'composition/tracing',
  'feed/import-feed',
  'websocket/connection-lifecycle',
  'composition/start-and-stop',
  'payments/payment-faults',
  'channel/keep-connected',
  'records/payments',
  'websocket/memory',
  'composition/health-logs-and-metrics',
  'batches/batches',
  'src/packed-package',
];

/** Orders the tests: the longest files of each kind first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => positionOf(one) - positionOf(other));
  }
}

function positionOf(file: TestSpecification): number {
  const position = longFiles.findIndex((name) => file.moduleId.endsWith(`/${name}.test.ts`));
  return position < 0 ? longFiles.length : position;
}
