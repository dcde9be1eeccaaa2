import { sql } from 'drizzle-orm';
import { storedPhone } from '../../platform/phone-numbers.ts';
import { clients } from '../../schema/tables/tables.ts';
import { fieldsOf, own, type RecordDefinition } from '../records/define-record.ts';

const { text } = fieldsOf(clients);

/** A client, as the case feed sends it and as it is stored. */
export const clientRecord = {
  table: clients,
  auditedAs: 'client',
  parent: null,
  caseId: null,
  from: sql`clients r`,
  fields: {
    title: text('title'),
    first_name: text('firstName'),
    last_name: text('lastName'),
    // A client may have changed their contact details themselves.
    email: own(sql`r.email`, { normalise: (email: string) => email.trim() }),
    phone: own(sql`r.phone`, { normalise: storedPhone }),
    // Never read, and not compared.
    password: own(sql`null`, { normalise: () => undefined }),
  },
} satisfies RecordDefinition<'clients'>;
