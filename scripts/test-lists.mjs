// @ts-check

/*
 * What `npm test`, `npm run test:all` and `npm run test:long` run. The projects are those of vitest.config.ts: the unit tests
 * and the browser tests of the main jobs are in `npm test`; the unit tests below and all other browser tests are in
 * `npm run test:all`.
 */

/** The projects of `npm test`. */
export const mainProjects = ['unit', 'main-jobs'];

/** The projects of `npm run test:all`. */
export const otherProjects = ['unit-all', 'e2e'];

/**
 * Files of unit tests, by name, that need more than PostgreSQL (Redis, S3, several servers, backups) or take seconds: those
 * with random input, many connections or much data.
 */
export const heavyFiles = [
  'any-input',
  'any-input-in-files',
  'any-input-on-sockets',
  'any-sequence',
  'any-sequence-of-refunds',
  'backup',
  'builds-of-other-servers',
  'change-of-provider',
  'create-pdf-process',
  'create-signature-printer',
  'expand-and-contract',
  'external-server',
  'failing-store',
  'documents-with-s3',
  'growth',
  'hostile-documents',
  'memory',
  'open-database',
  'packed-package',
  'payer-after-restore',
  'payment-faults',
  'presence-between-servers',
  'reconnect-storm',
  'redis-connection',
  'restore-erasures',
  'restore-from-backup',
  'restore-rehearsal',
  'same-as-import',
  'server-networks',
  'share-store',
  'silent-database',
  'start-and-stop',
];

/** Parts of the paths of test files that are longer in `npm run test:long` than in the other two. */
export const longFiles = [
  'accessibility/screens',
  'any-input',
  'any-sequence',
  'batch-survives-sigkill',
  'browse-case-history',
  'card-numbers-are-kept-nowhere',
  'compare-contracts',
  'create-receipt-printer',
  'create-signature-printer',
  'dispatch-deliveries',
  'enterprise-grid',
  'every-route',
  'feed-file',
  'journeys/failures',
  'journeys/maintenance',
  'growth',
  'deployment/image',
  'import-feed',
  'killed-at-each-step',
  'last-release',
  'make-another-payment',
  'memory',
  'new-build',
  'payments-survive-sigkill',
  'pay-by-bank',
  'pay-for-a-search',
  'pay-in-a-bad-moment',
  'pay-with-stripe',
  'payments-history',
  'persisted-state',
  'prerender',
  'presence-between-servers',
  'reconnect-storm',
  'report-errors',
  'start/start-up',
  'two-servers',
  'unusual-names',
  'work-by-keyboard',
];
