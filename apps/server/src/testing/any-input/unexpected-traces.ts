import { isDeepStrictEqual } from 'node:util';
import type { RowChange } from './watch-tables.ts';

/** Tables and columns that change although nothing is accepted, each with the reason. */
const expectedChanges: Record<string, string> = {
  'public.audit_entries': 'some reads, and some requests that turn out to be impossible, are audited',
  'public.audit_links': 'see public.audit_entries',
  'public.feed_key_secrets.last_used_at': 'shows which keys are in use',
  'public.login_failures': 'counts guesses',
  'public.request_counts': 'counts the changes of a client',
  'public.sessions.last_used_at': 'a client uses her session',
  'public.sessions.revoked_at': 'many wrong proofs of identity end a session',
  'public.sign_in_warnings': 'many wrong proofs of identity are reported',
  'public.staff_sessions.ended_at': 'see public.sessions.revoked_at',
  'public.staff_sessions.last_used_at': 'a member uses their session',
  // Background tasks, some for earlier requests.
  'graphile_worker._private_job_queues': 'locks jobs',
  'graphile_worker._private_jobs': 'runs jobs',
  'graphile_worker._private_known_crontabs': 'schedules jobs',
  'public.email_changes.confirm_hash': 'mails a link',
  'public.email_changes.stop_hash': 'mails a link',
  'public.password_links': 'mails a link',
  'public.payment_check_reports': 'checks payments',
  'public.payment_continuity.checked_until': 'checks the provider',
  'public.payment_continuity.rounds': 'checks the provider',
  'public.payments.next_check_at': 'checks open payments',
  'public.provider_events.applied_at': 'applies webhooks',
  'public.provider_events.outcome': 'applies webhooks',
  'public.refund_checks': 'looks for refunds',
  'public.sandbox_events': 'sends webhooks',
  'public.staff_invitations': 'mails a link',
};

/** Tables that successful reads also change, each with the reason. */
const changesByReads: Record<string, string> = {
  'public.broadcast_events': 'tells pages that a payment has changed',
  'public.client_changes.position': 'numbers changes when the feed first reads them',
  'public.document_deliveries': 'records who was sent which version',
  'public.payment_changes': 'records that a payment has its intent',
  'public.payments': 'a client opens the form of her payment',
  'public.sandbox_intents': 'creates the intent of a payment that has none',
};

/** Alerts that input may cause. */
const expectedAlerts =
  /"msg":"(a webhook was too large to be read|webhooks of our payments are rejected|a session ended after many wrong|someone is guessing the password of a client)/;

/**
 * Finds logged errors and changed rows that a request should not have caused.
 * @param options.outcome whether records may have changed
 * @param options.othersIds the ids of the records that the sender must not change even then
 */
export function unexpectedTraces(
  { errors, changes }: { errors: readonly string[]; changes: readonly RowChange[] },
  { outcome, othersIds }: { outcome: 'changed' | 'read' | 'rejected'; othersIds: ReadonlySet<string> },
): string[] {
  const expected = outcome === 'read' ? { ...expectedChanges, ...changesByReads } : expectedChanges;
  const isExpected = ({ table, columns }: RowChange) =>
    table in expected || (columns.length > 0 && columns.every((column) => `${table}.${column}` in expected));
  const isOthers = ({ ids }: RowChange) => ids.some((id) => othersIds.has(id));
  const unexpected = withoutWebhooks(withoutTemporaryRows(changes)).filter(
    (change) => !isExpected(change) && (outcome !== 'changed' || isOthers(change)),
  );
  return [
    ...errors.filter((line) => !expectedAlerts.test(line)).map((line) => `an error was logged: ${line}`),
    ...unexpected.map(
      (change) =>
        `${change.operation} ${change.table} ${change.columns.join()}${isOthers(change) ? ', in a row of another case' : ''}`,
    ),
  ];
}

/**
 * Leaves out the changes of transactions that apply a stored webhook, which may follow from an earlier request. A
 * webhook is stored in a separate transaction, so a rejected webhook that was stored is still found.
 */
function withoutWebhooks(changes: readonly RowChange[]): RowChange[] {
  const applying = changes.filter(
    ({ table, columns }) => table === 'public.provider_events' && columns.includes('outcome'),
  );
  const transactions = new Set(applying.map(({ transaction }) => transaction));
  return changes.filter(({ transaction }) => !transactions.has(transaction));
}

/** Leaves out rows that were added and then removed again, such as the claim on an idempotency key. */
function withoutTemporaryRows(changes: readonly RowChange[]): RowChange[] {
  const remaining: RowChange[] = [];
  for (const change of changes) {
    const added = change.operation === 'DELETE' ? remaining.findIndex((other) => isAdded(change, other)) : -1;
    if (added < 0) remaining.push(change);
    else remaining.splice(added, 1);
  }
  return remaining;
}

const isAdded = (row: RowChange, by: RowChange) =>
  by.operation === 'INSERT' && by.table === row.table && isDeepStrictEqual(by.ids, row.ids);
