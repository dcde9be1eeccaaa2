import type pg from 'pg';
import { version } from '../../package.json';
import { checksum } from './read-migrations.ts';

/** A function or trigger of this build. */
export interface CodeObject {
  /** As `drop` names it, such as `function broadcast` or `trigger payments_kept on payments`. */
  name: string;
  sql: string;
}

// Without a type argument: with one, Vitest would keep the list of files from an earlier run.
const functionFiles: Record<string, string> = import.meta.glob('./functions/*/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const triggerFiles: Record<string, string> = import.meta.glob('./triggers/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** This build's functions and triggers. The functions come first, because triggers call them. */
export const databaseCode: readonly CodeObject[] = [
  ...Object.entries(functionFiles).map(([path, sql]) => ({
    name: `function ${/(\w+)\.sql$/.exec(path)?.[1]}`,
    sql,
  })),
  ...Object.values(triggerFiles).flatMap(readTriggers),
];

/** Reads the triggers of a file. Comments are left out, so that a changed comment locks no table. */
export function readTriggers(file: string): CodeObject[] {
  return [...file.matchAll(/^create (?:constraint )?trigger (\w+)[^;]*? on (\w+)[^;]*;$/gm)].map(
    ([sql, trigger, table]) => ({ name: `trigger ${trigger} on ${table}`, sql }),
  );
}

/** What differs between the functions and triggers of a database and those of a build. */
export interface CodeChanges {
  /** New ones and those with another text. */
  changed: CodeObject[];
  /** The names of those that the build no longer has. */
  removed: string[];
  /** Whether a later version has applied its own, which this build leaves alone. */
  isNewer: boolean;
}

/** Compares the functions and triggers that were applied to a database with those of a build. */
export async function findCodeChanges(
  client: pg.ClientBase,
  code: readonly CodeObject[],
): Promise<CodeChanges> {
  const { rows: tables } = await client.query("select where to_regclass('schema_code') is not null");
  if (tables.length === 0) return { changed: [...code], removed: [], isNewer: false };
  const { rows } = await client.query<{ name: string; checksum: string; version: string }>(
    'select name, checksum, version from schema_code order by name',
  );
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const names = new Set(code.map(({ name }) => name));
  return {
    changed: code.filter((object) => applied.get(object.name) !== checksum(object)),
    removed: [...applied.keys()].filter((name) => !names.has(name)),
    isNewer: rows.some((row) => isLater(row.version, version)),
  };
}

/** Whether one version, such as 0.10.0, comes after another. */
const isLater = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) > 0;

/**
 * Applies the functions and triggers that have changed, and drops those that this build no longer has. A changed
 * function is replaced as a whole, so its arguments and its result may change.
 * @param client in a transaction, under the lock of the migrations
 */
export async function applyCode(client: pg.ClientBase, code: readonly CodeObject[]): Promise<void> {
  const { changed, removed } = await findCodeChanges(client, code);
  await client.query(
    `create table if not exists schema_code (name text primary key, checksum text not null, version text not null)`,
  );
  // A function may call one that is created after it.
  await client.query('set local check_function_bodies = off');
  for (const { name, sql } of changed) {
    // A trigger function never changes its signature, and is not dropped before its triggers.
    if (!/^create or replace function .*\breturns trigger\b/m.test(sql)) await client.query(dropOf(name));
    await client.query(sql);
  }
  // Triggers are dropped before the functions that they call.
  for (const name of removed.toSorted().reverse()) await client.query(dropOf(name));
  await client.query('delete from schema_code where name = any($1)', [removed]);
  await client.query(
    `insert into schema_code (name, checksum, version)
     select name, checksum, $3 from unnest($1::text[], $2::text[]) as applied (name, checksum)
     on conflict (name) do update set checksum = excluded.checksum`,
    [changed.map(({ name }) => name), changed.map(checksum), version],
  );
  await client.query('update schema_code set version = $1 where version <> $1', [version]);
}

/** PostgreSQL itself has a function `broadcast`, in another schema. */
const dropOf = (name: string): string =>
  `drop ${name.replace('function ', 'function if exists public.').replace('trigger ', 'trigger if exists ')}`;
