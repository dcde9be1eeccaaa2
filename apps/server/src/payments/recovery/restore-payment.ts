import { payableCases } from '../../case-file/cases/payable-cases.ts';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import { isId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { findBill } from '../bills/bills-store.ts';
import { type PaymentTerms, restoredOtherTerms, searchTerms } from '../checkout/lock-payable.ts';
import type { OwnIntent } from '../continuity/own-intents.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findPaymentForSearch, insertPayment, updatePayment } from '../records/payments-store.ts';
import type { PaymentRow } from '../records/rows.ts';
import { findBillByNumber, findFirstClient, findSearchByName } from './recovery-store.ts';

/** Thrown when a payment cannot be recovered; the message tells the operator what to do. */
export class NotRestorable extends Error {
  override name = 'NotRestorable';
}

type RestoreDependencies = Pick<PaymentDependencies, 'database' | 'provider'>;

/** The contents of a payment, as far as its intent shows them. */
interface Origin {
  caseId: string;
  clientId: string;
  searchId: string | null;
}

/**
 * Recreates the row of a payment that is missing in the database, in its state before the card was sent; a sync then
 * records its outcome. The confirmation is lost with the database, except for the client's identity.
 * @returns the current price of its search, in pence; null if it was not for a search
 * @throws NotRestorable
 */
export async function restorePayment(
  dependencies: RestoreDependencies,
  intent: OwnIntent,
): Promise<number | null> {
  const { database, provider } = dependencies;
  const origin = await findOrigin(dependencies, intent);
  return runTransaction(database, async (transaction) => {
    const { terms, searchPrice } = await findTerms(transaction, intent, origin);
    const { paymentId: id, createdAt } = intent;
    await insertPayment(transaction, {
      ...terms,
      id,
      amount: intent.amount,
      method: intent.method,
      status: 'requires_payment_method',
      provider: provider.name,
      providerIdempotencyKey: `create-intent:${id}:1`,
      clientId: origin.clientId,
      confirmedBy: origin.clientId,
      payerName: null,
      lastCause: 'recovered',
      nextCheckAt: createdAt,
      createdAt,
      updatedAt: createdAt,
    });
    return searchPrice;
  });
}

/**
 * Restores the payer of a payment that was unconfirmed in the backup and paid since: only its payer had the secret,
 * and the intent names them.
 */
export async function restorePayer(
  { database }: Pick<PaymentDependencies, 'database'>,
  { id, caseId }: PaymentRow,
  clientId: string | null,
): Promise<void> {
  if (clientId === null || !isId(clientId)) return;
  if (!(await payableCases.findOfClient(database, { clientId, caseId }))) return;
  await updatePayment(database, id, { confirmedBy: clientId, lastCause: 'recovered' });
}

async function findOrigin({ database }: RestoreDependencies, intent: OwnIntent): Promise<Origin> {
  const { caseId, kind, description } = intent;
  if (caseId === null) throw new NotRestorable('it names no case. Refund it at the provider');
  const clientId = intent.clientId ?? (await findFirstClient(database, caseId));
  if (clientId === undefined) {
    throw new NotRestorable(
      `case ${caseId} is not in the database. Import the case feed, then run this again`,
    );
  }
  const searchId =
    kind === 'search'
      ? (intent.searchId ?? (await findSearchByName(database, { caseId, name: description })) ?? null)
      : null;
  if (kind === 'search' && searchId === null) {
    throw new NotRestorable(
      `it does not say which search of case ${caseId} it paid. Refund it at the provider`,
    );
  }
  return { caseId, clientId, searchId };
}

async function findTerms(
  transaction: Parameters<typeof insertPayment>[0],
  { amount, description, matterId }: OwnIntent,
  { caseId, clientId, searchId }: Origin,
): Promise<{ terms: PaymentTerms; searchPrice: number | null }> {
  if (searchId === null) {
    const payableCase = await payableCases.findOfClient(transaction, { clientId, caseId });
    if (!payableCase) throw notInDatabase(`client ${clientId} on case ${caseId}`);
    const [, number] = /^Bill (.+)$/.exec(description) ?? [];
    const named = number === undefined ? null : await findBillByNumber(transaction, { caseId, number });
    const bill = named && (await findBill(transaction, named.id));
    if (bill === undefined) throw notInDatabase(`bill ${number} of case ${caseId}`);
    const terms = restoredOtherTerms({ caseId, matterId, amount, description, bill });
    return { terms, searchPrice: null };
  }
  const search = await payableSearches.lock(transaction, { clientId, caseSearchId: searchId });
  if (!search) throw notInDatabase(`search ${searchId} of client ${clientId}`);
  const existing = await findPaymentForSearch(transaction, searchId);
  if (existing) {
    throw new NotRestorable(
      `payment ${existing.id} for the same search is ${existing.status}. Refund one of the two at the provider`,
    );
  }
  const terms = searchTerms(search);
  if (terms.amount === amount) return { terms, searchPrice: amount };
  // The price has changed since, and net and VAT of the old price are unknown.
  const line = { text: description, net: amount, vat_rate: 0, vat: 0, gross: amount, client_money: true };
  return { terms: { ...terms, lines: [line] }, searchPrice: terms.amount };
}

const notInDatabase = (subject: string) =>
  new NotRestorable(`${subject} is not in the database. Import the case feed, then run this again`);
