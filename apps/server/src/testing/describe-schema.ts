import type pg from 'pg';

interface Noted {
  name: string;
  comment: string | null;
}

interface Constraint extends Noted {
  kind: 'p' | 'u' | 'f' | 'c' | 'x';
  definition: string;
  columns: string[] | null;
}

interface Table extends Noted {
  isUnlogged: boolean;
  columns: (Noted & {
    type: string;
    isRequired: boolean;
    default: string | null;
    identity: '' | 'a' | 'd';
    storage: string | null;
  })[];
  constraints: Constraint[];
  indexes: (Noted & { definition: string })[];
  triggers: { definition: string }[];
}

const tablesQuery = `
  select c.relname as name, c.relpersistence = 'u' as "isUnlogged", obj_description(c.oid, 'pg_class') as comment,
    (select json_agg(json_build_object(
        'name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod), 'isRequired', a.attnotnull,
        'default', pg_get_expr(d.adbin, d.adrelid, true), 'identity', a.attidentity,
        'storage', case when a.attstorage <> t.typstorage then case a.attstorage
          when 'p' then 'plain' when 'e' then 'external' when 'm' then 'main' else 'extended' end end,
        'comment', col_description(c.oid, a.attnum)) order by a.attnum)
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object('name', k.conname, 'kind', k.contype,
        'definition', pg_get_constraintdef(k.oid, true), 'comment', obj_description(k.oid, 'pg_constraint'),
        'columns', (select json_agg(quote_ident(attname) order by place)
          from unnest(k.conkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = c.oid and attnum = key.number)) order by k.conname), '[]')
      from pg_constraint k where k.conrelid = c.oid and k.contype not in ('n', 't')) as constraints,
    (select coalesce(json_agg(json_build_object('name', i.relname, 'definition', pg_get_indexdef(i.oid, 0, true),
        'comment', obj_description(i.oid, 'pg_class')) order by i.relname), '[]')
      from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.oid and contype <> 'f'))
      as indexes,
    (select coalesce(json_agg(json_build_object('definition', pg_get_triggerdef(oid, true)) order by tgname), '[]')
      from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

/**
 * Writes the whole schema of a database as SQL for people: each table with its comments, constraints, indexes and
 * triggers, then the functions.
 */
export async function describeSchema(database: Pick<pg.ClientBase, 'query'>): Promise<string> {
  const { rows: types } = await database.query<{ name: string; columns: string }>(
    `select typname as name, string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as columns
     from pg_type join pg_class on pg_class.oid = typrelid and relkind = 'c' join pg_attribute on attrelid = typrelid
     where typnamespace = 'public'::regnamespace and attnum > 0 group by typname order by typname`,
  );
  const { rows: tables } = await database.query<Table>(tablesQuery);
  const { rows: functions } = await database.query<{ definition: string }>(
    `select pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = 'public'::regnamespace order by proname`,
  );
  return [
    ...types.map(({ name, columns }) => `create type ${name} as (${columns});\n`),
    ...tables.map(writeTable),
    ...functions.map(({ definition }) => writeFunction(definition)),
  ].join('\n');
}

function writeTable(table: Table): string {
  const { name } = table;
  const inColumns = table.constraints.filter((constraint) => isNamedByPostgres(name, constraint));
  const rest = table.constraints.filter((constraint) => !inColumns.includes(constraint));
  const lines = [
    ...table.columns.map((column) => {
      const own = inColumns.filter(({ columns }) => columns?.[0] === column.name);
      return `${writeComment(column, '  ')}${wrap(`  ${writeColumn(column, own)}`)}`;
    }),
    ...rest.map(
      (constraint) =>
        `${writeComment(constraint, '  ')}${wrap(`  constraint ${constraint.name} ${simplify(constraint.definition)}`)}`,
    ),
  ];
  const statements = [
    `${writeComment(table)}create ${table.isUnlogged ? 'unlogged ' : ''}table ${name} (\n${lines.join(',\n')}\n);`,
    ...table.columns
      .filter(({ storage }) => storage)
      .map((column) => `alter table ${name} alter column ${column.name} set storage ${column.storage};`),
    ...table.indexes.map((index) => `${writeComment(index)}${wrap(`${simplify(index.definition)};`)}`),
    ...table.triggers.map(({ definition }) => wrap(`${simplify(definition)};`)),
  ];
  return `${statements.join('\n')}\n`;
}

/** Whether a constraint is of one column and has the name that PostgreSQL gives it there. */
function isNamedByPostgres(table: string, { kind, name, columns, comment }: Constraint): boolean {
  if (columns?.length !== 1 || comment) return false;
  const suffixes = {
    p: 'pkey',
    u: `${columns[0]}_key`,
    f: `${columns[0]}_fkey`,
    c: `${columns[0]}_check`,
    x: '',
  };
  return name === `${table}_${suffixes[kind]}`;
}

function writeColumn(column: Table['columns'][number], constraints: readonly Constraint[]): string {
  const isPrimary = constraints.some(({ kind }) => kind === 'p');
  return [
    column.name,
    simplify(column.type),
    column.identity && `generated ${column.identity === 'a' ? 'always' : 'by default'} as identity`,
    column.isRequired && !isPrimary && !column.identity && 'not null',
    column.default && `default ${simplify(column.default)}`,
    isPrimary && 'primary key',
    ...constraints
      .filter(({ kind }) => kind !== 'p')
      .map(({ definition }) => simplify(definition).replace(/^(?:(unique)|foreign key) \(.*?\) ?/, '$1')),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Writes a definition of PostgreSQL as a person does: in lower case, without what follows from the rest. */
const simplify = (definition: string): string =>
  definition
    .split(/('(?:[^']|'')*'|"[^"]*")/)
    .map((part, index) => (index % 2 ? part : part.toLowerCase().replaceAll(/\s+/g, ' ')))
    .join('')
    .replaceAll(/('(?:[^']|'')*')::(?:text|jsonb|text\[\]|uuid\[\])/g, '$1')
    .replaceAll(/ = any \(array\[([^\]]*)\]\)/g, ' in ($1)')
    .replaceAll(/ <> all \(array\[([^\]]*)\]\)/g, ' not in ($1)')
    .replaceAll(' using btree ', ' ')
    .replaceAll('character varying', 'varchar')
    .replaceAll(/timestamp(\(\d\))? with time zone/g, 'timestamptz$1')
    .replaceAll(/(references \w+)\(id\)/g, '$1');

function writeFunction(definition: string): string {
  const [head = '', body = ''] = definition.split(/AS \$function\$/, 2);
  const [signature, ...attributes] = head.trim().split('\n');
  return `${simplify(`${signature} ${attributes.join(' ')}`).replace('or replace function public.', 'function ')} as $$${body.trimEnd().replace(/\$function\$$/, '$$$$')};\n`;
}

const writeComment = ({ comment }: Noted, indent = ''): string =>
  comment === null ? '' : `${wrap(`${indent}-- ${comment}`, `${indent}-- `)}\n`;

const maxWidth = 118;

const clauses = [' where ', ' referencing ', ' for each ', ' execute function ', ' and ', ' or '];

/** Breaks a line, a statement before one of its clauses if possible. @param indent of the further lines */
function wrap(line: string, indent = `${/^ */.exec(line)}  `): string {
  if (line.length <= maxWidth) return line;
  const isComment = line.trimStart().startsWith('--');
  const clause = Math.max(...clauses.map((word) => line.lastIndexOf(word, maxWidth - word.length)));
  const end = !isComment && clause > indent.length ? clause : line.lastIndexOf(' ', maxWidth);
  return end <= indent.length ? line : `${line.slice(0, end)}\n${wrap(indent + line.slice(end + 1), indent)}`;
}
