import type { WithdrawalReason } from '@keyturn/contract/staff';
import type { Command } from 'commander';
import { sql } from 'drizzle-orm';
import { commandLineActor } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import type { Connection, Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { runTransaction } from '../../platform/run-transaction.ts';
import { withdrawDocument } from './withdraw-document.ts';

export type DocumentCommand =
  | { name: 'withdraw'; document: string; reason: WithdrawalReason }
  | { name: 'scan' };

/** Defines `keyturn document`. */
export function documentCommand(run: (parsed: DocumentCommand) => Promise<void>): Command {
  const withdraw = createCommand('withdraw')
    .description('Withdraw a shared document, and print which clients have seen it.')
    .argument('<document>', 'the id of a document, or the firm’s reference of it')
    .option(
      '--malware',
      'tell those clients that its file may contain a virus, not that it was shared by mistake',
    )
    .addHelpText('after', '\nExit codes: 0 withdrawn, 1 not withdrawn')
    .action((document: string, { malware = false }: { malware?: boolean }) =>
      run({ name: 'withdraw', document, reason: malware ? 'malware' : 'mistake' }),
    );
  const scan = createCommand('scan')
    .description('Scan the stored files of all documents with the scanner of KEYTURN_VIRUS_SCANNER.')
    .addHelpText(
      'after',
      '\nExit codes: 0 no malware found, 1 malware found, or not all files could be scanned',
    )
    .action(() => run({ name: 'scan' }));
  return createCommand('document')
    .description('Withdraw shared documents, and scan them for malware.')
    .addCommand(withdraw)
    .addCommand(scan);
}

/**
 * Runs `keyturn document withdraw`. A second run prints the same.
 * @returns the exit code: 0 withdrawn; 1 unknown or signed
 */
export async function runWithdraw(
  { database, clock }: { database: Database; clock: Clock },
  { document, reason }: { document: string; reason: WithdrawalReason },
  print: (line: string) => void,
): Promise<0 | 1> {
  const documentId = await findDocumentId(database, document);
  if (documentId === null) {
    print(`No document has the id or reference ${document}.`);
    return 1;
  }
  try {
    const { title, seenBy } = await runTransaction(database, (transaction) =>
      withdrawDocument(transaction, { documentId, reason, at: clock(), by: { actor: commandLineActor() } }),
    );
    print(`“${title}” is withdrawn: clients can no longer open it.`);
    if (seenBy.length === 0) print('No client has opened it.');
    for (const { name, clientId, at } of seenBy)
      print(
        `${name} (${clientId}) first opened it at ${at.toISOString()}, and is asked by email to delete their copies.`,
      );
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    print(error.message);
    return 1;
  }
}

async function findDocumentId(connection: Connection, document: string): Promise<string | null> {
  const { rows } = await connection.execute<{ id: string }>(
    sql`select id from documents where id::text = ${document.toLowerCase()} or reference = ${document}`,
  );
  return rows[0]?.id ?? null;
}
