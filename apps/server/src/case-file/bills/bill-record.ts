import { sql } from 'drizzle-orm';
import { bills } from '../../schema/tables/payment-tables.ts';
import { fieldsOf, inCase, type RecordDefinition, referenceTo } from '../records/define-record.ts';

const { text, value } = fieldsOf(bills);

/** A bill, as the case feed sends it and as it is stored. */
export const billRecord = {
  table: bills,
  auditedAs: 'bill',
  ...inCase(bills),
  from: sql`bills r join conveyancing_cases k on k.id = r.case_id left join matters m on m.id = r.matter_id`,
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
    net: text('net'),
    vat_rate: text('vatRate'),
    vat: text('vat'),
    status: value('status'),
    paid: text('paidOtherwise', {
      toStored: (sent?: number) => sent ?? 0,
      normalise: (sent: number) => sent || undefined,
    }),
  },
} satisfies RecordDefinition<'bills'>;
