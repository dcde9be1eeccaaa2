import type { OrderWordingVersion } from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import { literals } from '../../platform/reads/contract-json.ts';

const [beforeEnd, noPeriod, unknown] = [
  '2026-12-before-end',
  '2026-12-no-period',
  '2026-12-unknown',
] as const satisfies OrderWordingVersion[];

/**
 * Writes the version of the words with which a client asks today, in London, for a search of the row `conveyancing_case` to be
 * ordered. Asking early does not end the right to cancel.
 */
export const orderWording = sql`case
  when conveyancing_case.cancellation = 'none'
    or conveyancing_case.cancellation_ends_on < (now() at time zone 'Europe/London')::date then ${literals([noPeriod])}
  when conveyancing_case.cancellation = 'ends_on' then ${literals([beforeEnd])}
  else ${literals([unknown])} end`;
