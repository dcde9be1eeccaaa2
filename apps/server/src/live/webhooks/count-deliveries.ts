import { sql } from 'drizzle-orm';
import type { Connection } from '../../platform/database.ts';

/** Counts what enabled endpoints have not received: events that have not failed, those being retried, and dead letters. */
export async function countOutgoingWebhooks(connection: Connection) {
  const { rows } = await connection.execute<{ state: string; value: number }>(sql`
    select kind as state, count(event_id)::int as value
    from unnest(array['pending', 'retrying', 'dead']) as kind
    left join (
      select case when delivery.state = 'dead' then 'dead' when failures > 0 then 'retrying' else 'pending' end as of_kind,
        event_id
      from webhook_deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id
      where delivery.state in ('pending', 'dead') and endpoint.state = 'enabled'
    ) as counted on of_kind = kind
    group by kind`);
  return rows.map(({ state, value }) => ({ labels: { state }, value }));
}
