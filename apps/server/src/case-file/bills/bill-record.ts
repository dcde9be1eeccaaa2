import type { FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { bills } from '../../schema/tables/payment-tables.ts';
import { fieldsOf, inCase, own, type RecordDefinition, referenceTo } from '../records/define-record.ts';
import { withVat } from './bill-lines.ts';

const { text, value } = fieldsOf(bills);

/** A bill, as the case feed sends it and as it is stored. */
export const billRecord = {
  table: bills,
  auditedAs: 'bill',
  ...inCase(bills),
  from: sql`bills r join conveyancing_cases k on k.id = r.case_id left join matters m on m.id = r.matter_id
    left join documents d on d.id = r.document_id`,
  fields: {
    case: referenceTo('cases', sql`k.reference`),
    matter: referenceTo('matters', sql`m.reference`),
    number: text('number'),
    description: text('description'),
    issued_on: text('issuedOn'),
    due_on: value('dueOn'),
    due_on_completion: text('dueOnCompletion', {
      toStored: (sent?: boolean) => sent ?? false,
      normalise: (sent: boolean) => sent || undefined,
    }),
    lines: own(
      sql`(select jsonb_agg(line - 'vat_rate' order by place)
        from jsonb_array_elements(r.lines) with ordinality listed (line, place))`,
      { normalise: (sent: NonNullable<FeedRecord<'bills'>['lines']>) => sent.map(withVat) },
    ),
    // Without lines, a bill is one line of these.
    net: own(sql`case when r.lines is null then r.net end`),
    vat_rate: own(sql`case when r.lines is null then r.vat_rate end`),
    vat: own(sql`case when r.lines is null then r.vat end`),
    estimate: value('estimate'),
    above_estimate: value('aboveEstimate'),
    document: referenceTo('documents', sql`d.reference`),
    status: value('status'),
    paid: text('paidOtherwise', {
      toStored: (sent?: number) => sent ?? 0,
      normalise: (sent: number) => sent || undefined,
    }),
  },
} satisfies RecordDefinition<'bills'>;
