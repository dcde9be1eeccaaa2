import type { OtherPaymentBody, OtherPaymentCategory, PaymentIntent } from '@keyturn/contract';
import type { Transaction } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { PayableCase } from '../ports.ts';
import type { PaymentDependencies } from '../provider/sync-payment.ts';
import { inPounds } from '../records/in-pounds.ts';
import {
  findPaymentOfKey,
  lockOtherPaymentsOfCase,
  type PaymentRow,
  sumOtherPaymentsOfDay,
} from '../records/payments-store.ts';
import { acceptsPayments } from './accepts-payments.ts';
import { contentOf, findOrCreatePayment, type PaymentTerms } from './find-or-create-payment.ts';
import { startPayment } from './start-payment.ts';

export interface OtherPaymentDependencies extends PaymentDependencies {
  limits: OtherPaymentLimits;
}

/** Pence: of one payment, and of all of them for a case in a day of Europe/London. */
export interface OtherPaymentLimits {
  min: number;
  max: number;
  dailyMax: number;
}

export interface OtherPaymentRequest {
  clientId: string;
  body: OtherPaymentBody;
  idempotencyKey: string | undefined;
  /** Where the request comes from. */
  address?: string;
}

/**
 * Starts a payment that is for no search, for the client's active case, or goes on with the one that the
 * Idempotency-Key began, on its own case. The key alone tells a repeat from another payment of the same sort: a key whose
 * payment was given up starts nothing any more.
 * @throws DomainError `invalid_input` (the amount, in words with the limits), `not_found` (no case, or not its matter),
 *   `not_payable` (given up, or a case that is over), `limit_reached` (for today), `already_paid`,
 *   `payment_under_review`, `idempotency_key_reused`, `too_many_payment_attempts`, `payment_being_checked`,
 *   `provider_unavailable`
 */
export async function startOtherPayment(
  dependencies: OtherPaymentDependencies,
  request: OtherPaymentRequest,
): Promise<PaymentIntent> {
  checkAmount(request.body.amount, dependencies.limits);
  const payer = { clientId: request.clientId, address: request.address };
  return startPayment(dependencies, payer, (transaction) => holdOther(dependencies, transaction, request));
}

function checkAmount(amount: number, { min, max }: OtherPaymentLimits) {
  const fault =
    amount < min
      ? `The least that can be paid here is ${inPounds(min)}.`
      : amount > max
        ? `The most that can be paid here at once is ${inPounds(max)}. Please call us about a bank transfer.`
        : undefined;
  if (fault) throw new DomainError('invalid_input', { errors: { amount: [fault] } });
}

async function holdOther(
  dependencies: OtherPaymentDependencies,
  transaction: Transaction,
  { clientId, body, idempotencyKey, address }: OtherPaymentRequest,
): Promise<PaymentRow> {
  const { cases, limits, clock } = dependencies;
  // The key first: what was begun stays on its case, whichever one the client is looking at by now.
  const known =
    idempotencyKey === undefined
      ? undefined
      : await findPaymentOfKey(transaction, { clientId, key: idempotencyKey });
  const payableCase = known
    ? await cases.findOfClient(transaction, { clientId, caseId: known.caseId })
    : await cases.findActive(transaction, clientId);
  if (!payableCase) throw new DomainError('not_found');
  const matterId = known ? known.matterId : matterOf(payableCase, body);
  await lockOtherPaymentsOfCase(transaction, payableCase.id);
  const { category, amount, reference, matter_id, ...confirmed } = body;
  return findOrCreatePayment(dependencies, transaction, {
    clientId,
    address,
    idempotencyKey,
    content: ['other', contentOf(body)],
    confirmed,
    // One that was given up is found as well, and refused: the key started it and starts no other.
    find: async (known) => known,
    isPayable: acceptsPayments(payableCase.status, { kind: 'other', category }),
    begin: async () => {
      const today = await sumOtherPaymentsOfDay(transaction, { caseId: payableCase.id, now: clock() });
      if (today + amount > limits.dailyMax) throw new DomainError('limit_reached');
      return termsOf(payableCase, matterId, body);
    },
  });
}

/**
 * The matter that the client names, or the only one; a payment for a case with several of them belongs to none.
 * @throws DomainError `not_found`
 */
function matterOf({ matterIds }: PayableCase, { matter_id }: OtherPaymentBody): string | null {
  if (matter_id !== undefined && !matterIds.includes(matter_id)) throw new DomainError('not_found');
  const [only = null, ...others] = matterIds;
  return matter_id ?? (others.length === 0 ? only : null);
}

function termsOf(
  payableCase: PayableCase,
  matterId: string | null,
  { category, amount, reference }: OtherPaymentBody,
): PaymentTerms {
  const description = descriptions[category];
  return {
    caseId: payableCase.id,
    kind: 'other',
    amount,
    description,
    category,
    reference: reference ?? null,
    matterId,
    // What the firm bills is the firm's; all else is the client's until it is billed or spent.
    lines: [
      {
        text: description,
        net: amount,
        vat_rate: 0,
        vat: 0,
        gross: amount,
        client_money: category !== 'legal_fees',
      },
    ],
  };
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
