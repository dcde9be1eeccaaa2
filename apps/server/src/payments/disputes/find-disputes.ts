import { reportErased } from '../intents/record-disputes.ts';
import { applyProviderIntent, type SyncDependencies } from '../intents/sync-payment.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { ProviderDispute } from '../ports/disputes.ts';
import { IntentNotFound, type PaymentProvider } from '../ports/provider.ts';
import {
  findIgnoredObjects,
  findIntentsOfUnsettledDisputes,
  findLastLookup,
  ignoreObject,
  storeLookup,
} from '../records/disputes-store.ts';
import { findPaymentOfIntent } from '../records/intents-store.ts';
import { findFirstPaymentDate } from '../records/payments-store.ts';

/** Milliseconds by which two lookups overlap, because a provider may list something late. */
const overlap = 24 * 3_600_000;
/**
 * The time, in milliseconds, for which a closed dispute is still checked, because banks correct some of their
 * decisions.
 */
const followedAfterClosing = 90 * 24 * 3_600_000;

export type LookupSubject = 'dispute' | 'fraud_warning' | 'review';

/**
 * Looks up the objects that a provider has created since the last successful lookup, by their own date, so that none
 * is missed even if its payment is old or the server was down for long.
 * @param find lists and records the objects created since a time
 */
export async function lookUp(
  { database, provider, clock }: Pick<PaymentDependencies, 'database' | 'provider' | 'clock'>,
  subject: LookupSubject,
  find: (since: Date) => Promise<void>,
): Promise<void> {
  const lookup = { provider: provider.name, subject };
  const lookedAt = clock();
  const last =
    (await findLastLookup(database, lookup)) ?? (await findFirstPaymentDate(database, provider.name));
  if (!last) return;
  // A wrong clock may have left a time in the future.
  await find(new Date(Math.min(last.getTime(), lookedAt.getTime()) - overlap));
  await storeLookup(database, { ...lookup, lookedAt });
}

/**
 * Finds the disputes opened since the last lookup, and updates those that can still change.
 * @throws ProviderUnavailable
 */
export async function findDisputes(dependencies: SyncDependencies): Promise<void> {
  const { database, provider, clock } = dependencies;
  await lookUp(dependencies, 'dispute', async (since) => {
    const askedAt = clock();
    const listed = await ownObjects(
      dependencies,
      await provider.listDisputes(since),
      ({ disputeId }) => disputeId,
    );
    const unsettled = await findIntentsOfUnsettledDisputes(database, {
      provider: provider.name,
      closedAfter: new Date(askedAt.getTime() - followedAfterClosing),
    });
    for (const intentId of new Set([...listed.map((dispute) => dispute.intentId), ...unsettled])) {
      const disputes = listed.filter((dispute) => dispute.intentId === intentId);
      await syncDisputes(dependencies, { intentId, disputes, askedAt });
    }
  });
}

/**
 * Keeps the objects about payments of this installation. Objects of other installations are looked up once, because
 * their intent names the installation. Objects about an erased payment are reported once. An object with a payment that
 * a restore has lost is looked up again until the recovery has restored the payment.
 */
export async function ownObjects<Listed extends { intentId: string }>(
  dependencies: Pick<
    PaymentDependencies,
    'database' | 'provider' | 'clock' | 'alertOperator' | 'installationId'
  >,
  listed: Listed[],
  idOf: (object: Listed) => string,
): Promise<Listed[]> {
  const { database, provider, clock } = dependencies;
  const ignored = await findIgnoredObjects(database, {
    provider: provider.name,
    objectIds: listed.map(idOf),
  });
  const own: Listed[] = [];
  for (const object of listed.filter((each) => !ignored.has(idOf(each)))) {
    const reported = { intentId: object.intentId, objectIds: [idOf(object)] };
    if (await reportErased(dependencies, database, reported)) continue;
    const owner = await findOwner(dependencies, object.intentId);
    if (owner === 'payment') own.push(object);
    if (owner === 'other') {
      await ignoreObject(database, {
        provider: provider.name,
        objectId: idOf(object),
        ignoredAt: clock(),
      });
    }
  }
  return own;
}

/** @returns whether an intent belongs to a payment here, or to this installation without one, or to others */
async function findOwner(
  {
    database,
    provider,
    installationId,
  }: Pick<PaymentDependencies, 'database' | 'provider' | 'installationId'>,
  intentId: string,
): Promise<'payment' | 'installation' | 'other'> {
  const query = { provider: provider.name, intentId };
  if (await findPaymentOfIntent(database, { ...query, paymentId: null })) return 'payment';
  const intent = await findIntent(provider, intentId);
  if (!intent) return 'other';
  if (await findPaymentOfIntent(database, { ...query, paymentId: intent.paymentId })) return 'payment';
  return intent.installationId === installationId ? 'installation' : 'other';
}

async function findIntent(provider: PaymentProvider, intentId: string) {
  try {
    return await provider.retrieveIntent(intentId);
  } catch (error) {
    if (error instanceof IntentNotFound) return null;
    throw error;
  }
}

/** Syncs a payment with listed disputes, which its intent may not name. */
async function syncDisputes(
  dependencies: SyncDependencies,
  { intentId, disputes, askedAt }: { intentId: string; disputes: ProviderDispute[]; askedAt: Date },
): Promise<void> {
  const intent = await findIntent(dependencies.provider, intentId);
  if (!intent) return;
  const missing = disputes.filter(
    ({ disputeId }) => !intent.disputes.some((dispute) => dispute.disputeId === disputeId),
  );
  await applyProviderIntent(
    dependencies,
    { intent: { ...intent, disputes: [...intent.disputes, ...missing] }, askedAt },
    { name: 'dispute_lookup' },
  );
}
