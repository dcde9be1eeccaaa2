import { type CaseSearchStatus, type FeedRecord, minCardPayment } from '@keyturn/contract';
import { vatOf } from '@keyturn/format/vat';
import { sql } from 'drizzle-orm';
import type { AuditedBy } from '../../platform/audit/audit-entry.ts';
import type { Transaction } from '../../platform/database.ts';
import * as tables from '../../schema/tables/tables.ts';
import { writeRows } from '../../schema/write-rows.ts';
import { withdrawUnchecked } from '../documents/withdraw-document.ts';
import { checkEstimate } from '../records/check-estimate.ts';
import { storedColumns } from '../records/define-record.ts';
import type { RecordWriter, WriterContext } from '../records/record-writer.ts';
import { assertParentUnchanged, find, findInMatter } from '../records/references.ts';
import { RecordRejected } from '../records/rejected-record.ts';
import { findPaymentsOfSearches, offerSearchAgain } from './payments-of-searches.ts';
import { searchRecord } from './search-record.ts';
import { nextStatus } from './search-states.ts';

/**
 * Writes searches. Their status only moves forward, their price is fixed once a payment has started, and a payment in
 * progress blocks other changes of status.
 */
export async function openSearchWriter(
  context: WriterContext<'searches'>,
): Promise<RecordWriter<'searches'>> {
  const { source, transaction, changes } = context;
  const ids = changes.flatMap(({ id, isNew }) => (isNew ? [] : [id]));
  const locked = await lockSearches(transaction, ids);
  const payments = await findPaymentsOfSearches(transaction, ids);
  const rows: { isNew: boolean; row: typeof tables.caseSearches.$inferInsert }[] = [];
  const offered: Parameters<typeof offerSearchAgain>[1][] = [];
  /** Files of results that were not reviewed, which another file replaces. */
  const replaced: string[] = [];
  return {
    plan: ({ record, id, isNew, sent, position }) => {
      const matter = find(context, 'matters', record.matter, '/matter');
      const parent = assertParentUnchanged(context, 'searches', record.reference, '/matter', matter.id);
      const price = payablePriceOf(record);
      const result = findInMatter(context, 'documents', record.result_document, '/result_document', parent);
      const payment = payments.get(id);
      const before = locked.get(id);
      // At the desk, staff choose the new status based on the one they see.
      const sentBefore = (source === 'feed' ? before?.sentStatus : before?.status) ?? null;
      const { status, isOfferedAgain } = decideStatus(record, price, { before, sentBefore, payment });
      const stored = storedColumns(searchRecord, record);
      const paidAt = isOfferedAgain ? null : (payment?.paidAt ?? stored.paidAt);
      const sentStatus = source === 'feed' ? record.status : (before?.sentStatus ?? null);
      const row = {
        ...stored,
        ...price,
        id,
        matterId: parent,
        status,
        sentStatus,
        paidAt,
        position,
      };
      const former = before?.status !== 'reviewed' && before?.resultDocumentId;
      if (source === 'feed' && former && former !== result?.id) replaced.push(former);
      rows.push({
        isNew,
        row: { ...row, resultDocumentId: result?.id ?? null, feedHash: sent.hash, feedSentAt: sent.sentAt },
      });
      if (isOfferedAgain && payment) {
        const { caseId } = matter;
        const at = context.clock();
        offered.push({ caseId, caseSearchId: id, name: record.name, paymentId: payment.id, at });
      }
      return { id, ...sent, parent, caseId: matter.caseId };
    },
    write: async () => {
      for (const offer of offered) await offerSearchAgain(context, offer);
      // At the desk, the change itself withdraws them.
      for (const id of replaced)
        await withdrawUnchecked(transaction, { id }, { at: context.clock(), by: keyturn });
      await writeRows(transaction, tables.caseSearches, rows);
    },
  };
}

const keyturn: AuditedBy = { actor: { kind: 'system', id: null, name: 'Keyturn' } };

type StoredSearch = typeof tables.caseSearches.$inferSelect;
type SearchPayment = { id: string; paidAt: Date | null; isRefunded: boolean };

async function lockSearches(
  transaction: Transaction,
  ids: readonly string[],
): Promise<Map<string, StoredSearch>> {
  const rows = await transaction
    .select()
    .from(tables.caseSearches)
    .where(sql`${tables.caseSearches.id} = any(${sql.param(ids)}::uuid[])`)
    .orderBy(tables.caseSearches.id)
    .for('update');
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws RecordRejected if the price or the status cannot change like this */
function decideStatus(
  record: FeedRecord<'searches'>,
  price: ReturnType<typeof priceOf>,
  {
    before,
    sentBefore,
    payment,
  }: {
    before: StoredSearch | undefined;
    sentBefore: CaseSearchStatus | null;
    payment: SearchPayment | undefined;
  },
) {
  if (!before) return { status: record.status, isOfferedAgain: false };
  // The payment and its receipt list net and VAT, so neither may change.
  const isSamePrice = before.priceNet === price.priceNet && before.priceVat === price.priceVat;
  if (payment && !isSamePrice) {
    throw new RecordRejected('/price', 'cannot change: a payment was started at the old price');
  }
  const next = nextStatus(before.status, record.status, payment, sentBefore);
  if ('rejected' in next) throw new RecordRejected('/status', next.rejected);
  return { status: next.status, isOfferedAgain: next.isOfferedAgain === true };
}

/** @throws RecordRejected if a search that awaits payment cannot be paid at its price, or costs more */
function payablePriceOf({ price: sent, status, supplier_cost, ...search }: FeedRecord<'searches'>) {
  const price = priceOf(sent);
  checkEstimate(search, price.priceGross);
  if ((supplier_cost ?? 0) > price.priceGross) {
    throw new RecordRejected(
      '/supplier_cost',
      `cannot be more than the price with VAT, which is ${price.priceGross} pence`,
    );
  }
  if (status === 'awaiting_payment' && price.priceGross === 0) {
    throw new RecordRejected('/status', 'cannot be awaiting_payment: the price is 0');
  }
  if (status === 'awaiting_payment' && price.priceGross < minCardPayment) {
    throw new RecordRejected(
      '/price',
      `cannot be awaiting_payment at ${price.priceGross} pence with VAT: the payment provider accepts no card payment below ${minCardPayment} pence`,
    );
  }
  return price;
}

function priceOf({ net, vat_rate, vat, gross }: FeedRecord<'searches'>['price']) {
  const priceVat = vat ?? vatOf(net, vat_rate);
  if (gross !== undefined && gross !== net + priceVat)
    throw new RecordRejected('/price/gross', 'must be the sum of net and VAT');
  return { priceNet: net, priceVatRate: vat_rate, priceVat, priceGross: net + priceVat };
}
