import { hash } from 'node:crypto';
import type pg from 'pg';
import { baseline, checksum, type Migration } from './read-migrations.ts';

/** A migration that a database has. */
export interface AppliedMigration extends Pick<Migration, 'number' | 'name' | 'oldestBuild'> {
  checksum: string;
}

/** The checksum of the checksums of the 87 migrations before the first release, which the baseline replaces. */
const formerMigrations = '614d0f749eb54b71840d0a0c5340a6cadbc95868f8c7f5f30b00fa7f608ea472';

/** Whether a database was made by the migrations that the baseline replaces: its tables are the same. */
export const isFormerSchema = (applied: readonly AppliedMigration[]): boolean =>
  hash('sha256', applied.map((migration) => migration.checksum).join('\n')) === formerMigrations;

/** Records the baseline in place of the migrations that it replaces, and adds its comments. */
export async function adoptFormerSchema(client: pg.Client): Promise<void> {
  await client.query('begin');
  for (const [comment] of baseline.matchAll(/^comment on [^']+(?:'(?:[^']|'')*'\s*)+;$/gm))
    await client.query(comment);
  // The code of the baseline that later versions dropped: `schema_code` does not know it in these databases.
  await client.query(
    'drop function note_closed_case, clear_own_phone_numbers, record_activated_change, record_task_event cascade',
  );
  // The intents of payments have the id of the installation since the 24th migration.
  await client.query('delete from schema_migrations where number <> 24');
  await client.query(
    `update schema_migrations set number = 1, name = 'baseline', checksum = $1, oldest_build = 0`,
    [checksum({ sql: baseline })],
  );
  await client.query('alter table schema_migrations alter column oldest_build drop default');
  await client.query('commit');
}
