import type pg from 'pg';
import { createMetrics, type Metrics } from '../adapters/metrics/create-metrics.ts';
import { countJobs } from '../adapters/postgres/count-jobs.ts';
import { countOutgoingWebhooks } from '../live/webhooks/count-deliveries.ts';
import { countPaymentTransitions, countWebhooks } from '../payments/records/count-payments.ts';
import type { Database } from '../platform/database.ts';
import { measureOperationAges } from '../platform/operations/completed-operations.ts';
import { countAuditEntries } from '../records/audit/count-entries.ts';
import type { Realtime } from './realtime/realtime-parts.ts';
import type { ServerReference } from './server-reference.ts';

/** Creates the metrics of this server, with counts from its database and real-time channel. */
export function composeMetrics({
  pool,
  database,
  realtime,
  server,
  archivesAuditLog,
}: {
  pool: pg.Pool;
  database: Database;
  realtime: Pick<Realtime, 'counts'>;
  server: Pick<ServerReference, 'alertAbout' | 'alertCounts'>;
  archivesAuditLog: boolean;
}): Metrics {
  return createMetrics({
    pool,
    channel: realtime.counts,
    alertOperator: server.alertAbout('metrics'),
    alertCounts: server.alertCounts,
    counts: [
      {
        name: 'keyturn_jobs',
        help: 'Jobs in the queue of the installation by state.',
        labels: ['state'],
        count: () => countJobs(pool),
      },
      {
        name: 'keyturn_payment_transitions',
        help: 'Status changes of payments of the installation.',
        labels: ['from', 'to'],
        count: () => countPaymentTransitions(database),
      },
      {
        name: 'keyturn_webhooks',
        help: 'Webhooks that the installation has received by outcome.',
        labels: ['provider', 'outcome'],
        count: () => countWebhooks(database),
      },
      {
        name: 'keyturn_outgoing_webhooks',
        help: 'Events that endpoints of the firm have not received by state.',
        labels: ['state'],
        count: () => countOutgoingWebhooks(database),
      },
      {
        name: 'keyturn_audit_entries',
        help: 'Entries of the audit log of the installation.',
        labels: [],
        count: () => countAuditEntries(database),
      },
      {
        name: 'keyturn_operation_age_seconds',
        help: 'Time since an operation of the installation last succeeded; nothing if it never has.',
        labels: ['operation'],
        count: () =>
          measureOperationAges(database, [
            'backup',
            'audit_verification',
            // An archive that was switched off must not look overdue.
            ...(archivesAuditLog ? (['audit_archive'] as const) : []),
          ]),
      },
    ],
  });
}
