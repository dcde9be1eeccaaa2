import type { Connection } from '../../platform/database.ts';
import { isId } from '../../platform/ids.ts';
import type { LabelledIntent } from '../ports/intents.ts';
import type { PaymentProvider } from '../ports/provider.ts';
import { findKnownIntents, readLabelsSince } from './continuity-store.ts';
import { withoutErased } from './without-erased.ts';

/** An intent of this installation, and whether this database has its payment. */
export interface OwnIntent extends LabelledIntent {
  paymentId: string;
  isRecorded: boolean;
}

/**
 * Lists the intents of this installation since a moment. Older intents without the installation's id count as its own
 * if they name a case in this database.
 * @throws ProviderUnavailable
 */
export async function listOwnIntents(
  connection: Connection,
  provider: PaymentProvider,
  { since, installationId }: { since: Date; installationId: string },
): Promise<OwnIntent[]> {
  const listed = (await provider.listIntentLabels(since)).flatMap((intent) =>
    intent.paymentId !== null && isId(intent.paymentId) ? [{ ...intent, paymentId: intent.paymentId }] : [],
  );
  if (listed.length === 0) return [];
  const labelsSince = await readLabelsSince(connection);
  const known = await findKnownIntents(connection, {
    paymentIds: listed.map(({ paymentId }) => paymentId),
    caseIds: listed.flatMap(({ caseId }) => (caseId !== null && isId(caseId) ? [caseId] : [])),
  });
  const existing = await withoutErased(connection, listed);
  return existing
    .filter((intent) =>
      intent.installationId === null
        ? intent.createdAt < labelsSince && known.caseIds.has(intent.caseId ?? '')
        : intent.installationId === installationId,
    )
    .map((intent) => ({ ...intent, isRecorded: known.paymentIds.has(intent.paymentId) }));
}
