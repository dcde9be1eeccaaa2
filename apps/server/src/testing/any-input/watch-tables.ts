import type pg from 'pg';

/** A row that was added, changed or removed. */
export interface RowChange {
  table: string;
  operation: string;
  /** The names of the changed columns; empty for a row that was added or removed. */
  columns: string[];
  /** The ids in the row: its own, and those of the records that it belongs to. */
  ids: string[];
  /** The id of the transaction that made the change. */
  transaction: string;
}

/** Records every change of every table of a test database. */
export interface WatchedTables {
  /** Returns the changes since the last call. */
  take(): Promise<RowChange[]>;
}

/**
 * Watches the tables with triggers, so that they need not be read before and after each input. Updates that change
 * nothing do not count.
 */
export async function watchTables(pool: pg.Pool): Promise<WatchedTables> {
  await pool.query(`
    create schema watched;
    create unlogged table watched.changes (relation text, operation text, columns text[], ids text[],
      transaction xid8 default pg_current_xact_id());
    grant usage on schema watched to public;
    grant insert on watched.changes to public;
    create function watched.record() returns trigger language plpgsql as $$
      declare changed text[] := '{}';
      begin
        if tg_op = 'UPDATE' then
          select array_agg(key) into changed from (
            select key from jsonb_each(to_jsonb(new)) as n (key, value)
            where value is distinct from to_jsonb(old) -> key) as k;
          if changed is null then return null; end if;
        end if;
        insert into watched.changes (relation, operation, columns, ids) select tg_table_schema || '.' || tg_table_name, tg_op, changed, array(
          select value from jsonb_each_text(to_jsonb(case when tg_op = 'DELETE' then old else new end))
          where value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$');
        return null;
      end $$;`);
  const { rows } = await pool.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'watched')`,
  );
  for (const { name } of rows) {
    await pool.query(
      `create trigger zz_watch after insert or update or delete on ${name} for each row execute function watched.record()`,
    );
  }
  return {
    take: async () => {
      const { rows: changes } = await pool.query(
        'delete from watched.changes returning relation as table, operation, columns, ids, transaction',
      );
      return changes;
    },
  };
}
