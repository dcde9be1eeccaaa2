import pg from 'pg';

/** The database role of the server. Migrations run as the owner of the tables. */
export interface ServerRole {
  name: string;
  /** Creates the role with this password, or changes its password. Without a password the role must exist. */
  password?: string;
}

/**
 * Tables that only migrations and triggers write: allowed transitions, the record of payments, the order of the audit
 * log.
 */
const readOnlyTables = [
  'schema_migrations',
  'schema_code',
  'payment_transitions',
  'refund_transitions',
  'payment_changes',
  'audit_links',
];

/**
 * Grants the server’s role the privileges that it needs, and no others. It owns nothing, so it cannot disable a
 * trigger, and it cannot update or delete rows of append-only tables. Idempotent.
 * @param owner a connection of the owner, under the lock of the migrations
 */
export async function grantServerRole(owner: pg.Client, { name, password }: ServerRole): Promise<void> {
  const role = pg.escapeIdentifier(name);
  await owner.query('begin');
  if (password !== undefined) {
    const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name]);
    await owner.query(
      `${rowCount === 0 ? 'create' : 'alter'} role ${role} with login nosuperuser nocreatedb nocreaterole
       noreplication nobypassrls password ${pg.escapeLiteral(password)}`,
    );
  }
  await owner.query(`grant usage on schema public, graphile_worker to ${role}`);
  await owner.query(`grant usage, select on all sequences in schema public to ${role}`);
  await owner.query(
    `grant select, insert, update, delete on all tables in schema graphile_worker to ${role}`,
  );
  await owner.query(`grant usage, select on all sequences in schema graphile_worker to ${role}`);
  await grantTables(owner, role);
  await revokeTriggerFunctions(owner);
  await grantErasures(owner, role);
  await admitToJobQueue(owner, name);
  await owner.query('commit');
}

async function grantTables(owner: pg.Client, role: string): Promise<void> {
  const { rows } = await owner.query<{ table: string; keeps_rows: boolean; keeps_values: boolean }>(
    `select quote_ident(c.relname) as table,
       exists (select from pg_trigger t where ${refuses} and t.tgtype & 8 > 0) as keeps_rows,
       exists (select from pg_trigger t where ${refuses} and t.tgtype & 16 > 0) as keeps_values
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  for (const { table, keeps_rows, keeps_values } of rows) {
    const writes = ['insert', ...(keeps_values ? [] : ['update']), ...(keeps_rows ? [] : ['delete'])];
    const privileges = ['select', ...(readOnlyTables.includes(table) ? [] : writes)];
    // An import runs `analyze` on the tables that it has filled.
    if (!keeps_rows) privileges.push('maintain');
    await owner.query(`revoke all on public.${table} from ${role}`);
    await owner.query(`grant ${privileges.join(', ')} on public.${table} to ${role}`);
  }
}

/**
 * Revokes the right to execute functions that write as the owner. With it, a role could attach them to a temporary
 * table and forge the record of payments. Existing triggers need no such right.
 */
async function revokeTriggerFunctions(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ signature: string }>(
    `select oid::regprocedure as signature from pg_proc where pronamespace = 'public'::regnamespace and prosecdef`,
  );
  for (const { signature } of rows) await owner.query(`revoke execute on function ${signature} from public`);
}

/** Only these functions delete records that are otherwise append-only, and only for an erasure that is recorded. */
const erasingFunctions = ['erase_case(bigint)', 'erase_client(bigint)'];

async function grantErasures(owner: pg.Client, role: string): Promise<void> {
  for (const signature of erasingFunctions) {
    const { rowCount } = await owner.query(
      'select to_regprocedure($1) as known where to_regprocedure($1) is not null',
      [signature],
    );
    if (rowCount === 1) await owner.query(`grant execute on function ${signature} to ${role}`);
  }
}

/** The triggers of append-only tables. Bits of `tgtype`: 8 for deletes, 16 for updates. */
const refuses = "t.tgrelid = c.oid and t.tgfoid = 'public.refuse_change'::regproc";

/** Graphile Worker shows the rows of its tables to their owner only, until a policy admits another role. */
async function admitToJobQueue(owner: pg.Client, name: string): Promise<void> {
  const { rows } = await owner.query<{ table: string }>(
    `select quote_ident(c.relname) as table from pg_class c
     where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
       and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = $1)`,
    [name],
  );
  const role = pg.escapeIdentifier(name);
  for (const { table } of rows) {
    await owner.query(
      `create policy ${role} on graphile_worker.${table} to ${role} using (true) with check (true)`,
    );
  }
}
