import type { FeedRecord } from '@keyturn/contract';
import { vatOf } from '@keyturn/format/vat';
import { sql } from 'drizzle-orm';
import { caseSearches } from '../../schema/tables/tables.ts';
import { fieldsOf, inMatter, own, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const { text, value, instant } = fieldsOf(caseSearches);

/** A search, as the case feed sends it and as it is stored. */
export const searchRecord = {
  table: caseSearches,
  auditedAs: 'search',
  ...inMatter(caseSearches),
  from: sql`case_searches r join matters m on m.id = r.matter_id
    left join documents result on result.id = r.result_document_id`,
  fields: {
    matter: referenceTo('matters', sql`m.reference`),
    code: value('code'),
    name: text('name'),
    supplier: text('supplier'),
    explanation: text('explanation'),
    price: own(sql`json_build_object('net', r.price_net, 'vat_rate', r.price_vat_rate, 'vat', r.price_vat)`, {
      normalise: ({ net, vat_rate, vat }: FeedRecord<'searches'>['price']) => ({
        net,
        vat_rate,
        ...(vat === undefined || vat === vatOf(net, vat_rate) ? {} : { vat }),
      }),
    }),
    supplier_cost: value('supplierCost'),
    rebate: value('rebate'),
    estimate: value('estimate'),
    above_estimate: value('aboveEstimate'),
    refund_rule: text('refundRule'),
    required_by: value('requiredBy'),
    // A search only moves forward, and follows its payment.
    status: own(sql`r.status`, { isAudited: true }),
    expected_on: value('expectedOn'),
    paid_at: instant('paidAt'),
    ordered_at: instant('orderedAt'),
    returned_at: instant('returnedAt'),
    valid_until: value('validUntil'),
    delayed_reason: text('delayedReason'),
    outcome: value('outcome'),
    outcome_summary: text('outcomeSummary'),
    result_document: referenceTo('documents', sql`result.reference`),
  },
} satisfies RecordDefinition<'searches'>;
