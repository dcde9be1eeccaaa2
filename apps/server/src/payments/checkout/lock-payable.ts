import type { OtherPaymentBody, OtherPaymentCategory } from '@keyturn/contract';
import { acceptsPayments } from '@keyturn/contract';
import type { UnaskedFault } from '@keyturn/format/payments/unasked-payments';
import type { PayableCase, StatementNames } from '../../case-file/cases/payable-cases.ts';
import { payableCases } from '../../case-file/cases/payable-cases.ts';
import type { PayableSearch } from '../../case-file/searches/payable-searches.ts';
import { payableSearches } from '../../case-file/searches/payable-searches.ts';
import type { Transaction } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { acquireLocks } from '../attempts/attempts-store.ts';
import { billLines, coversOpenPayments } from '../bills/bill-amounts.ts';
import { type BillWithPayments, lockBillOfCase } from '../bills/bills-store.ts';
import { lockBillToPay } from '../bills/lock-bill-to-pay.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findPaymentForSearch } from '../records/payments-store.ts';
import type { NewPayment, PaymentRow } from '../records/rows.ts';
import { checkRules, type PaymentObstacle } from '../rules/rule-facts.ts';
import { findPaymentOfKey } from './idempotency-keys-store.ts';
import { lockOtherPaymentsOfCase } from './other-payments-store.ts';
import type { OtherPaymentRequest, PaymentRequest, SearchPaymentRequest } from './payment-request.ts';
import { findStartFacts, type StartFacts } from './start-store.ts';

/**
 * The search, bill or purpose of a payment, locked until the end of the transaction, so that concurrent requests wait
 * for each other.
 */
export interface Payable {
  /** Why it cannot be paid at the moment; null if it can. */
  obstacle: PaymentObstacle | null;
  /** What is wrong with a payment that the firm has not asked for; null if nothing is. */
  unasked: UnaskedFault | null;
  /** The contents of a payment for it, at the current price. */
  terms: PaymentTerms;
  /** The payment that already exists for it, open or paid. */
  existing: PaymentRow | undefined;
  facts: StartFacts;
  /** The full name of the requesting client. */
  clientName: string;
  /** The request to order the search; null for another payment. */
  order: PayableSearch['order'] | null;
  /** The text for the payer's statement, if it was read with the search. */
  statement?: StatementNames | null;
}

export type PaymentTerms = Pick<
  NewPayment,
  | 'caseId'
  | 'kind'
  | 'amount'
  | 'description'
  | 'category'
  | 'reference'
  | 'matterId'
  | 'caseSearchId'
  | 'billId'
  | 'lines'
>;

type StartDependencies = Pick<PaymentDependencies, 'attempts' | 'clock'>;

/**
 * Locks the search, bill or purpose of a request, and reads the facts that determine whether its payment may start.
 * @throws DomainError `not_found`
 */
export const lockPayable = (
  dependencies: StartDependencies,
  transaction: Transaction,
  request: PaymentRequest,
): Promise<Payable> =>
  request.kind === 'search'
    ? lockSearch(dependencies, transaction, request)
    : lockOtherPayment(dependencies, transaction, request);

async function lockSearch(
  { attempts }: StartDependencies,
  transaction: Transaction,
  { payer, caseSearchId, idempotencyKey: key }: SearchPaymentRequest,
): Promise<Payable> {
  const { clientId } = payer;
  // One round trip: PostgreSQL reads the facts once everything is locked.
  const [search, facts] = await Promise.all([
    payableSearches.lock(transaction, { clientId, caseSearchId, locks: attempts.locksOf(payer) }),
    findStartFacts(transaction, { windows: attempts.windowsOf(payer), key, caseSearchId }),
  ]);
  if (!search) throw new DomainError('not_found');
  return {
    obstacle: obstacleOf(search.awaitsPayment, search.awaitsIdentityCheck),
    unasked: null,
    terms: searchTerms(search),
    existing: facts.isOccupied ? await findPaymentForSearch(transaction, caseSearchId) : undefined,
    facts,
    clientName: search.clientName,
    order: search.order,
    statement: search.statement,
  };
}

const obstacleOf = (acceptsPayment: boolean, awaitsIdentityCheck: boolean): PaymentObstacle | null =>
  !acceptsPayment ? 'not_payable' : awaitsIdentityCheck ? 'identity_not_checked' : null;

/** An other payment is identified by its idempotency key, and stays on the case that it was started for. */
async function lockOtherPayment(
  { attempts, clock }: StartDependencies,
  transaction: Transaction,
  { payer, body, minAmount, idempotencyKey: key }: OtherPaymentRequest,
): Promise<Payable> {
  const { clientId } = payer;
  const existing = key === undefined ? undefined : await findPaymentOfKey(transaction, { clientId, key });
  const payableCase = existing
    ? await payableCases.findOfClient(transaction, { clientId, caseId: existing.caseId })
    : await payableCases.findActive(transaction, clientId);
  if (!payableCase) throw new DomainError('not_found');
  await lockOtherPaymentsOfCase(transaction, payableCase.id);
  const isStarted = existing !== undefined;
  const bill = await lockBillToPay(transaction, {
    caseId: payableCase.id,
    body,
    minAmount,
    isStarted,
  });
  const matterId = existing ? existing.matterId : bill ? bill.bill.matterId : findMatterId(payableCase, body);
  // An existing payment is not counted, and its lock must not be acquired after these.
  if (!existing) await acquireLocks(transaction, attempts.locksOf(payer));
  const { awaitsIdentityCheck, unasked } = await checkRules(transaction, {
    caseId: payableCase.id,
    matterId,
    clientId,
    category: body.category,
    amount: body.amount,
    paymentId: existing?.id ?? null,
    now: clock(),
  });
  return {
    obstacle: obstacleOf(
      acceptsPayments(payableCase.status, { kind: 'other', category: body.category }) &&
        (!isStarted || !bill || coversOpenPayments(bill)),
      awaitsIdentityCheck,
    ),
    unasked,
    terms: otherPaymentTerms({ caseId: payableCase.id, matterId, bill }, body),
    existing,
    facts: await findStartFacts(transaction, {
      windows: attempts.windowsOf(payer),
      key,
      caseSearchId: null,
    }),
    clientName: await payableCases.findName(transaction, clientId),
    order: null,
  };
}

/**
 * Locks the search, bill or purpose of a payment.
 * @returns why it cannot be paid at the moment, its current price in pence, and the request to order it
 * @throws DomainError `not_found` if this client has no access to it
 */
export async function lockPayableOfPayment(
  { clock }: Pick<PaymentDependencies, 'clock'>,
  transaction: Transaction,
  { payment, clientId }: { payment: PaymentRow; clientId: string },
): Promise<Pick<Payable, 'obstacle' | 'order'> & { price: number }> {
  if (payment.caseSearchId !== null) {
    const search = await payableSearches.lock(transaction, { clientId, caseSearchId: payment.caseSearchId });
    if (!search) throw new DomainError('not_found');
    return {
      obstacle: obstacleOf(search.awaitsPayment, search.awaitsIdentityCheck),
      price: search.price.gross,
      order: search.order,
    };
  }
  const payableCase = await payableCases.findOfClient(transaction, { clientId, caseId: payment.caseId });
  if (!payableCase) throw new DomainError('not_found');
  await lockOtherPaymentsOfCase(transaction, payableCase.id);
  const bill =
    payment.billId && (await lockBillOfCase(transaction, { billId: payment.billId, caseId: payableCase.id }));
  const { awaitsIdentityCheck, unasked } = await checkRules(transaction, {
    caseId: payableCase.id,
    matterId: payment.matterId,
    clientId,
    category: payment.category as OtherPaymentCategory,
    amount: payment.amount,
    paymentId: payment.id,
    now: clock(),
  });
  return {
    obstacle: obstacleOf(
      acceptsPayments(payableCase.status, payment) && (!bill || coversOpenPayments(bill)) && !unasked,
      awaitsIdentityCheck,
    ),
    price: payment.amount,
    order: null,
  };
}

/**
 * The matter that the client names, or the only matter of the case; null where the case has several.
 * @throws DomainError `not_found`
 */
function findMatterId({ matterIds }: PayableCase, { matter_id }: OtherPaymentBody): string | null {
  if (matter_id !== undefined && !matterIds.includes(matter_id)) throw new DomainError('not_found');
  const [only = null, ...others] = matterIds;
  return matter_id ?? (others.length === 0 ? only : null);
}

/** Returns the contents of a payment for a search. */
export const searchTerms = (search: PayableSearch): PaymentTerms => ({
  caseId: search.caseId,
  kind: 'search',
  amount: search.price.gross,
  description: search.name,
  category: 'search',
  matterId: search.matterId,
  caseSearchId: search.id,
  lines: [{ text: search.name, ...search.price, client_money: true }],
});

function otherPaymentTerms(
  { caseId, matterId, bill }: { caseId: string; matterId: string | null; bill: BillWithPayments | null },
  { category, amount, reference }: Pick<OtherPaymentBody, 'category' | 'amount' | 'reference'>,
): PaymentTerms {
  const description = bill ? `Bill ${bill.bill.number}` : descriptions[category];
  const otherLine = {
    text: description,
    net: amount,
    vat_rate: 0,
    vat: 0,
    gross: amount,
    client_money: true,
  };
  return {
    caseId,
    kind: 'other',
    amount,
    description,
    category,
    reference: reference ?? null,
    matterId,
    billId: bill?.bill.id ?? null,
    lines: bill ? billLines(bill, amount) : [otherLine],
  };
}

/**
 * Reconstructs the contents of a payment that is not for a search from its intent; the category follows from the
 * description.
 * @param bill the bill that it paid
 */
export function restoredOtherTerms({
  caseId,
  matterId,
  amount,
  description,
  bill,
}: Pick<PaymentTerms, 'caseId' | 'amount' | 'description'> & {
  matterId: string | null;
  bill: BillWithPayments | null;
}): PaymentTerms {
  const [category] = bill
    ? (['legal_fees'] as const)
    : (Object.entries(descriptions).find(([, text]) => text === description) ?? (['other'] as const));
  return otherPaymentTerms(
    { caseId, matterId, bill },
    { category: category as OtherPaymentCategory, amount },
  );
}

const descriptions: Record<OtherPaymentCategory, string> = {
  money_on_account: 'Money on account',
  identity_check: 'Identity check',
  search_pack: 'Search pack',
  legal_fees: 'Legal fees',
  leasehold_pack: 'Leasehold pack',
  indemnity_insurance: 'Indemnity insurance',
  other: 'Other payment',
};

/** Names of categories on receipts. */
export const describeCategory = (category: OtherPaymentCategory): string => descriptions[category];
