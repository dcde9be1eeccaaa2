import { createHash } from 'node:crypto';
import { releases } from './releases.ts';

export interface Migration {
  /** Consecutive, from 1. */
  number: number;
  name: string;
  sql: string;
  /**
   * The number of the last migration of the oldest build that works after this one; 0: any build that accepts newer
   * databases.
   */
  oldestBuild: number;
}

const baselineFiles: Record<string, string> = import.meta.glob('./baseline/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The statements of the first migration: the tables of the first version, without functions and triggers. */
export const baseline = Object.entries(baselineFiles)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([, sql]) => sql)
  .join('\n');

const laterFiles: Record<string, string> = import.meta.glob('./migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** This build's migrations, in order. Functions and triggers are no part of them: see `database-code.ts`. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'baseline', sql: baseline, oldestBuild: 0 },
  ...Object.entries(laterFiles)
    .map(([path, sql]) => {
      const [, number, name] = /(\d+)_(.+)\.sql$/.exec(path) ?? [];
      return {
        number: Number(number),
        name: name ?? path,
        sql,
        oldestBuild: Math.max(0, ...findRemovals(sql).map(({ since }) => since.lastMigration)),
      };
    })
    .sort((a, b) => a.number - b.number),
];

/**
 * Reads the lines of a migration that name what it removes, such as `-- Unused since 0.3.0: payments.reason, old_table`
 * or a function, `broadcast(text,text)`.
 * @throws if a line names a version that is not released
 */
export function findRemovals(sql: string) {
  return [...sql.matchAll(/^-- Unused since (\S+): (.+)$/gm)].map(([line, version, names = '']) => {
    const since = releases.find((release) => release.version === version);
    if (!since) throw new Error(`"${line}" names a version that releases.ts lacks`);
    return { since, names: names.split(/, +/) };
  });
}

/**
 * Reads the lines of a migration that name what allows more than before, such as `-- Allows more: tasks_kind_check`.
 * Servers of the last release can write what they wrote before, and must be able to read what newer ones write.
 */
export const findWidened = (sql: string): string[] =>
  [...sql.matchAll(/^-- Allows more: (.+)$/gm)].flatMap(([, names = '']) => names.split(/, +/));

/** Returns the checksum that the database keeps of a migration. */
export const checksum = ({ sql }: Pick<Migration, 'sql'>): string =>
  createHash('sha256').update(sql).digest('hex');
