import { Argument, type Command } from 'commander';
import { sql } from 'drizzle-orm';
import type { AuditAction, AuditValues } from '../../platform/audit/audit-entry.ts';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Transaction } from '../../platform/database.ts';
import { newId } from '../../platform/ids.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { countNewestDocuments, type OwnResources, readRecorded, recordStaffKey } from './shared-resources.ts';

const adoptable = ['document-store', 'staff-key'] as const;
export type Adoptable = (typeof adoptable)[number];

interface AdoptDependencies extends OwnResources {
  staffKey: string | null;
  clock: Clock;
}

/** Defines `keyturn adopt`. */
export function adoptCommand(run: (parsed: Adoptable) => Promise<void>): Command {
  return createCommand('adopt')
    .description(
      'Make the document store or KEYTURN_STAFF_KEY of these settings the one that all servers must use.',
    )
    .addArgument(new Argument('<what>', 'what was moved or changed on purpose').choices(adoptable))
    .addHelpText(
      'after',
      '\nStop all servers first. Exit codes: 0 adopted, 1 adopted, but documents are missing',
    )
    .action((what: Adoptable) => run(what));
}

/**
 * Runs `keyturn adopt`.
 * @returns the exit code: 0 adopted; 1 the adopted store lacks some of the newest documents
 */
export const runAdopt = (
  dependencies: AdoptDependencies,
  what: Adoptable,
  print: (line: string) => void,
): Promise<0 | 1> =>
  what === 'document-store' ? adoptStore(dependencies, print) : adoptStaffKey(dependencies, print);

async function adoptStore(dependencies: AdoptDependencies, print: (line: string) => void): Promise<0 | 1> {
  const { database, files, storeName, clock } = dependencies;
  const newest = await countNewestDocuments(dependencies);
  // Servers that still use the earlier store must not find its id here.
  const id = (await files.readId()) ?? newId();
  await runTransaction(database, async (transaction) => {
    const { storeId } = await readRecorded(transaction);
    await transaction.execute(sql`update shared_resources set document_store_id = ${id}::uuid`);
    await record(transaction, 'installation.document_store_adopted', {
      at: clock(),
      before: { store: storeId },
      after: { store: id },
    });
    await files.writeId(id);
  });
  print(`All servers must now use the document store ${storeName} (${id}).`);
  print(`It contains ${newest.found} of the ${newest.count} newest documents of the database.`);
  return newest.found === newest.count ? 0 : 1;
}

async function adoptStaffKey(
  { database, staffKey, clock }: AdoptDependencies,
  print: (line: string) => void,
): Promise<0> {
  await runTransaction(database, async (transaction) => {
    await recordStaffKey(transaction, staffKey);
    await record(transaction, 'installation.staff_key_adopted', {
      at: clock(),
      after: { is_set: staffKey !== null },
    });
  });
  print(
    staffKey === null
      ? 'All servers must now run without KEYTURN_STAFF_KEY.'
      : 'All servers must now have this KEYTURN_STAFF_KEY.',
  );
  print('Codes of authenticator apps that were added with another key no longer work.');
  return 0;
}

const record = (
  transaction: Transaction,
  action: AuditAction,
  { at, ...change }: { at: Date; before?: AuditValues; after: AuditValues },
): Promise<void> =>
  recordAudit(transaction, {
    occurredAt: at,
    actor: commandLineActor(),
    action,
    subject: { kind: 'installation', id: null },
    ...change,
  });
