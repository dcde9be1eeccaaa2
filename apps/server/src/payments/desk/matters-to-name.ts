import { and, asc, eq, sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';
import { payments } from '../../schema/tables/payment-tables.ts';
import { matters } from '../../schema/tables/tables.ts';

/** Finds the matters of which finance has to name one as the matter of a payment; none if there is nothing to name. */
export const findMattersToName = (connection: Connection, paymentId: string) =>
  connection
    .select({
      id: matters.id,
      reference: matters.reference,
      matter_type: matters.matterType,
      property: matters.property,
    })
    .from(payments)
    .innerJoin(matters, eq(matters.caseId, payments.caseId))
    .where(and(eq(payments.id, paymentId), sql`awaits_matter(${payments})`))
    .orderBy(asc(matters.position), asc(matters.reference));
