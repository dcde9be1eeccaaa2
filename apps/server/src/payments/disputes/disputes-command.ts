import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { writeForOperator } from '../../platform/commands/file-not-written.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { createEvidence, type EvidenceDependencies } from './evidence/create-evidence.ts';
import { listDisputes } from './list-disputes.ts';

export type DisputesCommand =
  | { name: 'disputes' }
  | { name: 'evidence'; disputeId: string; file: string | null };

/** Defines `keyturn payments disputes`. */
export const disputesCommand = (run: (parsed: DisputesCommand) => Promise<void>): Command =>
  createCommand('disputes')
    .description('List disputes, the open ones first by deadline, early fraud warnings and open reviews.')
    .action(() => run({ name: 'disputes' }));

/** Defines `keyturn payments evidence`. */
export const evidenceCommand = (run: (parsed: DisputesCommand) => Promise<void>): Command =>
  createCommand('evidence')
    .description('Write the evidence for a dispute as a PDF, to be submitted at the provider.')
    .argument('<dispute>', 'the id of the dispute, ours or the provider’s')
    .option('--out <file>', 'the PDF to write, or a folder for it; by default the current folder')
    .addHelpText('after', '\nExit codes: 0 written, 1 there is no such dispute')
    .action((disputeId: string, { out = null }: { out?: string | null }) =>
      run({ name: 'evidence', disputeId, file: out }),
    );

/**
 * Runs `keyturn payments disputes` or `keyturn payments evidence`.
 * @returns the exit code: 0 done, 1 there is no such dispute
 */
export async function runDisputesCommand(
  dependencies: EvidenceDependencies,
  command: DisputesCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  if (command.name === 'disputes') return printDisputes(dependencies, print);
  await recordAudit(dependencies.database, {
    occurredAt: dependencies.clock(),
    actor: commandLineActor(),
    action: 'payment.evidence_requested',
    subject: { kind: 'dispute', id: command.disputeId },
  });
  const evidence = await createEvidence(dependencies, command.disputeId);
  if (!evidence) {
    print(`There is no dispute ${command.disputeId}. keyturn payments disputes lists them.`);
    return 1;
  }
  const file = await fileFor(command.file, evidence.fileName);
  // It contains personal data.
  await writeForOperator(file, () => writeFile(file, evidence.content, { mode: 0o600 }));
  print(`${file}: written. Check it, then submit it at the provider before the deadline.`);
  return 0;
}

async function printDisputes(
  { database }: Pick<PaymentDependencies, 'database'>,
  print: (line: string) => void,
): Promise<0> {
  const lines = await listDisputes(database);
  for (const line of lines) print(line);
  if (lines.length === 0) print('No disputes, early fraud warnings or open reviews.');
  return 0;
}

async function fileFor(out: string | null, fileName: string): Promise<string> {
  if (out === null) return fileName;
  const isFolder = await stat(out).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? join(out, fileName) : out;
}
