import type { CancellationPeriod, FeedRecord } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { storedPhone } from '../../platform/phone-numbers.ts';
import { conveyancingCases } from '../../schema/tables/tables.ts';
import { fieldsOf, own, type RecordDefinition } from '../records/define-record.ts';

type Handlers = FeedRecord<'cases'>['handlers'];
const withStoredPhones = (handlers: Handlers): Handlers =>
  handlers.map((handler) => ({ ...handler, phone: storedPhone(handler.phone) }));

const { text, value } = fieldsOf(conveyancingCases);

/** A case, as the case feed sends it and as it is stored. */
export const caseRecord = {
  table: conveyancingCases,
  auditedAs: 'case',
  parent: null,
  caseId: sql`${conveyancingCases.id}`,
  from: sql`conveyancing_cases r`,
  fields: {
    title: text('title'),
    status: value('status'),
    handlers: text('handlers', { toStored: withStoredPhones, normalise: withStoredPhones }),
    cancellation: value('cancellation', {
      toStored: (cancellation?: CancellationPeriod) => cancellation ?? 'unknown',
      normalise: (cancellation: CancellationPeriod) =>
        cancellation === 'unknown' ? undefined : cancellation,
    }),
    cancellation_ends_on: value('cancellationEndsOn'),
    cancellation_notice_given: value('cancellationNoticeGiven', {
      toStored: (isGiven?: boolean) => isGiven ?? false,
      normalise: (isGiven: boolean) => isGiven || undefined,
    }),
    clients: own(
      sql`(select json_agg(c.reference order by c.reference) from case_clients of_case
        join clients c on c.id = of_case.client_id where of_case.case_id = r.id)`,
      { refersTo: 'clients', normalise: (clients: string[]) => [...new Set(clients)].sort() },
    ),
  },
} satisfies RecordDefinition<'cases'>;
