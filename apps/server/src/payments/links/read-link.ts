import {
  acceptsPayments,
  type OtherPaymentCategory,
  otherPaymentCategories,
  type PaymentLink,
} from '@keyturn/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Connection } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { grossOf, paidOf, payableOf } from '../bills/bill-amounts.ts';
import { findBillsOfCase } from '../bills/bills-store.ts';

import { findPaymentForSearch } from '../records/payments-store.ts';
import { stateOfBill, stateOfOther, stateOfSearch } from './link-states.ts';
import {
  findCaseStatus,
  findLinkOfClient,
  findPaymentsSinceLink,
  findSearchById,
  markLinkOpened,
  type PaymentLinkRow,
} from './links-store.ts';

/**
 * Reads what a payment link leads to now, and records that the client opened it.
 * @throws DomainError `not_found`, the same for an unknown link and for one that was sent to another client
 */
export async function readLink(
  { database, clock }: { database: Connection; clock: Clock },
  query: { clientId: string; linkId: string },
): Promise<PaymentLink> {
  const found = isId(query.linkId) ? await findLinkOfClient(database, query) : undefined;
  if (!found) throw new DomainError('not_found');
  const { link, caseReference } = found;
  await markLinkOpened(database, link.id, clock());
  return {
    id: link.id,
    created_at: link.createdAt.toISOString(),
    case: { id: link.caseId, reference: caseReference },
    description: link.description,
    case_search_id: link.caseSearchId,
    sent_amount: link.amount,
    ...(await currentState(database, link)),
  };
}

type CurrentState = Pick<
  PaymentLink,
  'state' | 'amount' | 'matter_id' | 'bill' | 'category' | 'idempotency_key'
>;

/** Returns what a link can pay for at the moment: nothing if the firm has withdrawn it. */
export async function currentState(database: Connection, link: PaymentLinkRow): Promise<CurrentState> {
  const found = await stateOfTarget(database, link);
  return found.state === 'payable' && link.withdrawnAt !== null ? { ...found, state: 'withdrawn' } : found;
}

async function stateOfTarget(database: Connection, link: PaymentLinkRow): Promise<CurrentState> {
  const nothing = {
    amount: link.amount,
    matter_id: null,
    bill: null,
    category: null,
    idempotency_key: null,
  };
  const caseStatus = await findCaseStatus(database, link.caseId);
  const accepts = (kind: 'search' | 'other', paidFor: string) =>
    caseStatus !== undefined && acceptsPayments(caseStatus, { kind, category: paidFor });
  if (link.caseSearchId !== null) {
    const search = await findSearchById(database, link.caseSearchId);
    if (!search) return { ...nothing, state: 'withdrawn' };
    const payment = await findPaymentForSearch(database, search.id);
    return {
      ...nothing,
      amount: search.gross,
      matter_id: search.matterId,
      state: stateOfSearch(
        { status: search.status, caseAcceptsPayment: accepts('search', 'search') },
        payment,
      ),
    };
  }
  if (link.billId !== null) {
    const row = (await findBillsOfCase(database, link.caseId)).find(({ bill }) => bill.id === link.billId);
    const amounts = row && { gross: grossOf(row.bill), paid: paidOf(row), payable: payableOf(row) };
    return {
      ...nothing,
      amount: amounts?.payable || link.amount,
      matter_id: row?.bill.matterId ?? null,
      bill: row ? { id: row.bill.id, number: row.bill.number } : null,
      category: 'legal_fees',
      state: stateOfBill(amounts, accepts('other', 'legal_fees')),
    };
  }
  const category = categoryOf(link);
  const payments = await findPaymentsSinceLink(database, link);
  const cancelled = payments.filter(({ status }) => status === 'cancelled').length;
  return {
    ...nothing,
    category,
    // A cancelled payment keeps its key, so the next one needs another.
    idempotency_key: `link-${link.id}-${cancelled}`,
    state: stateOfOther(accepts('other', category), payments),
  };
}

const categoryOf = ({ category }: PaymentLinkRow): OtherPaymentCategory =>
  otherPaymentCategories.find((known) => known === category) ?? 'other';
