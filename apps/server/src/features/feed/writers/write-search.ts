import { type FeedRecord, minCardPayment } from '@keyturn/contract';
import * as tables from '../../../platform/tables/tables.ts';
import { findPaymentOfSearch, type Known, lockSearch, offerSearchAgain, upsert } from '../feed-store.ts';
import { RecordRejected } from '../read-document.ts';
import type { RecordContext } from '../record-context.ts';
import { nextStatus } from '../search-states.ts';
import { assertParentUnchanged, find, findInMatter, instantOf } from './find-references.ts';

/**
 * Writes a search. Its status only moves forward, its price is fixed once a payment has started, and a payment in
 * progress blocks other changes of status.
 */
export async function writeSearch(record: FeedRecord<'searches'>, context: RecordContext): Promise<Known> {
  const { transaction, id, isNew, hash } = context;
  const matter = find(context, 'matters', record.matter, '/matter');
  const parent = assertParentUnchanged(context, 'searches', record.reference, '/matter', matter.id);
  const price = priceOf(record.price);
  if (record.status === 'awaiting_payment' && price.priceGross === 0) {
    throw new RecordRejected('/status', 'cannot be awaiting_payment: the price is 0');
  }
  if (record.status === 'awaiting_payment' && price.priceGross < minCardPayment) {
    throw new RecordRejected(
      '/price',
      `cannot be awaiting_payment at ${price.priceGross} pence with VAT: the payment provider accepts no card payment below ${minCardPayment} pence`,
    );
  }
  const result = findInMatter(context, 'documents', record.result_document, '/result_document', parent);
  const before = isNew ? undefined : await lockSearch(transaction, id);
  const payment = before ? await findPaymentOfSearch(transaction, id) : undefined;
  // The payment and its receipt list net and VAT, so neither may change.
  const isSamePrice = before?.priceNet === price.priceNet && before.priceVat === price.priceVat;
  if (before && payment && !isSamePrice) {
    throw new RecordRejected('/price', 'cannot change: a payment was started at the old price');
  }
  const next = before
    ? nextStatus(before.status, record.status, payment, before.sentStatus)
    : { status: record.status };
  if ('rejected' in next) throw new RecordRejected('/status', next.rejected);
  const instant = (field: 'paid_at' | 'ordered_at' | 'returned_at') => {
    const value = record[field];
    return value === undefined ? null : instantOf(value, `/${field}`);
  };
  const paidAt = instant('paid_at');
  const isOfferedAgain = 'isOfferedAgain' in next && next.isOfferedAgain === true;
  if (isOfferedAgain && payment) {
    const at = context.dependencies.clock();
    const { caseId } = matter;
    const offered = { caseId, caseSearchId: id, name: record.name, paymentId: payment.id, at };
    await offerSearchAgain(transaction, offered);
  }
  await upsert(transaction, tables.caseSearches, !isNew, {
    id,
    matterId: parent,
    reference: record.reference,
    code: record.code,
    name: record.name,
    supplier: record.supplier,
    explanation: record.explanation,
    ...price,
    refundRule: record.refund_rule,
    requiredBy: record.required_by,
    status: next.status,
    sentStatus: record.status,
    expectedOn: record.expected_on ?? null,
    paidAt: isOfferedAgain ? null : (payment?.paidAt ?? paidAt),
    orderedAt: instant('ordered_at'),
    returnedAt: instant('returned_at'),
    validUntil: record.valid_until ?? null,
    delayedReason: record.delayed_reason ?? null,
    outcome: record.outcome ?? null,
    outcomeSummary: record.outcome_summary ?? null,
    resultDocumentId: result?.id ?? null,
    position: context.position,
    feedHash: hash,
  });
  return { id, hash, parent, caseId: matter.caseId };
}

function priceOf({ net, vat_rate, vat, gross }: FeedRecord<'searches'>['price']) {
  // Basis points keep the calculation in integers; half a penny rounds up.
  const calculated = Math.floor((net * Math.round(vat_rate * 100) + 5_000) / 10_000);
  const priceVat = vat ?? calculated;
  if (gross !== undefined && gross !== net + priceVat)
    throw new RecordRejected('/price/gross', 'must be the sum of net and VAT');
  return { priceNet: net, priceVatRate: vat_rate, priceVat, priceGross: net + priceVat };
}
