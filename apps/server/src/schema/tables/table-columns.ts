import { sql } from 'drizzle-orm';
import { customType, date, timestamp } from 'drizzle-orm/pg-core';

/** Bytes, as a `Buffer`. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
/** An instant, as a `Date`. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
/** A day, as `2026-05-01`. */
export const day = (name: string) => date(name, { mode: 'string' });
/** The times at which a row was created, and last changed. */
export const timestamps = {
  createdAt: instant('created_at').notNull().default(sql`now()`),
  updatedAt: instant('updated_at').notNull().default(sql`now()`),
};
