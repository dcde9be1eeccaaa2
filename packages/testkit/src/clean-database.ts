import pg from 'pg';

/** Restores used test databases to their initial state, in a tenth of the time that a new one takes. */
export interface DatabaseCleaner {
  /**
   * Reads the initial state of an unused database. All databases of the cleaner are copies of one template, so only
   * the first one is read.
   */
  remember(url: string): Promise<void>;
  /**
   * Ends all connections to a database, and restores its rows and sequences.
   * @returns false if another test must not use it: its schema or its statistics have changed, or it has grown
   */
  clean(url: string): Promise<boolean>;
  /** Ends the cleaner's connection to a database, which stays open after `clean`. */
  disconnect(url: string): Promise<void>;
}

interface FirstState extends Shape {
  /** Restores rows and sequences. */
  restore: string;
}

interface Shape {
  schema: string;
  bytes: number;
}

/** A database with more dead rows than this answers other tests more slowly than a new one. */
const maxGrowth = 4_000_000;

export function createDatabaseCleaner(): DatabaseCleaner {
  const connections = new Map<string, pg.Client>();
  let firstState: FirstState | undefined;
  const connect = async (url: string) => {
    const client = new pg.Client({ connectionString: url, application_name: 'keyturn test cleaner' });
    client.on('error', () => {});
    connections.set(url, client);
    await client.connect();
    return client;
  };
  const disconnect = async (url: string) => {
    const client = connections.get(url);
    connections.delete(url);
    await client?.end().catch(() => {});
  };
  return {
    disconnect,
    remember: async (url) => {
      if (firstState) return;
      const client = await connect(url);
      firstState = { ...(await readShape(client)), restore: await writeRestoration(client) };
      await disconnect(url);
    },
    clean: async (url) => {
      try {
        const client = connections.get(url) ?? (await connect(url));
        await client.query(
          `select pg_terminate_backend(pid, 10000) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        );
        if (!firstState) throw new Error('the initial state was not read');
        await client.query(firstState.restore);
        const { schema, bytes } = await readShape(client);
        if (schema === firstState.schema && bytes - firstState.bytes < maxGrowth) return true;
      } catch {
        // A test may have removed the database or its tables.
      }
      await disconnect(url);
      return false;
    },
  };
}

/** Every change of a schema adds, replaces or removes a row of one of these tables. */
const catalogues = [
  'pg_attrdef',
  'pg_attribute',
  'pg_class',
  'pg_constraint',
  'pg_index',
  'pg_namespace',
  'pg_proc',
  'pg_rewrite',
  'pg_statistic',
  'pg_trigger',
  'pg_type',
];

const shapeQuery = `select pg_database_size(current_database())::int as bytes, concat_ws(' ', ${catalogues
  .map((name) => `(select concat(count(*), ':', sum(xmin::text::bigint)) from ${name})`)
  .join(', ')}) as schema`;

const readShape = async (client: pg.Client): Promise<Shape> =>
  (await client.query<Shape>(shapeQuery)).rows[0] as Shape;

/** Writes the statements that restore the current rows and sequences, without running triggers. */
async function writeRestoration(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select attrelid::regclass::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and relpersistence <> 't' and attnum > 0 and not attisdropped and attgenerated = ''
       and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
     group by attrelid`,
  );
  const { rows: sequences } = await client.query<{ statement: string }>(
    `select format('select setval(%L, %s, %s)', format('%I.%I', schemaname, sequencename),
       coalesce(last_value, start_value), (last_value is not null)::text) as statement from pg_sequences`,
  );
  const statements = ['begin', 'set local session_replication_role = replica'];
  for (const { name } of tables) statements.push(`delete from ${name}`);
  for (const { name, columns } of tables) {
    const { rows } = await client.query<{ content: string | null }>(
      `select quote_literal(json_agg(t)) as content from ${name} t`,
    );
    const content = rows[0]?.content;
    if (content)
      statements.push(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${name}, ${content})`,
      );
  }
  return [...statements, ...sequences.map(({ statement }) => statement), 'commit'].join(';\n');
}
