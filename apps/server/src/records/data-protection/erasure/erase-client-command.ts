import { countOf } from '@keyturn/format/count-of';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import type { Command } from 'commander';
import { queueCancelPayments } from '../../../people/clients/cancel-payments-job.ts';
import { commandLineActor } from '../../../platform/audit/record-audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/commands/create-command.ts';
import { parseReason } from '../../../platform/commands/parse-options.ts';
import type { Database } from '../../../platform/database.ts';
import { findClientByEmail, unknownClient } from '../../../platform/reads/find-client-by-email.ts';
import { runTransaction } from '../../../platform/run-transaction.ts';
import { erasePlanned } from './erase.ts';
import { type CaseOfClient, type ErasurePlan, planErasure } from './plan-erasure.ts';

export interface EraseClientCommand {
  email: string;
  /** The reference of the client, repeated to confirm the erasure; null to only show what would be erased. */
  confirm: string | null;
  /** Why the client is erased before the retention of their cases ends. */
  earlyReason: string | null;
}

/** Defines `keyturn client erase`. */
export function eraseClientCommand(run: (parsed: EraseClientCommand) => Promise<void>): Command {
  return createCommand('erase')
    .description('Show what an erasure of a client would delete; with --confirm, erase the client for good.')
    .argument('<email>', 'the email address of the client')
    .option('--confirm <reference>', 'the reference of the client, as the command shows it')
    .option(
      '--before-retention-ends <reason>',
      'erase cases that have to be kept longer, and why',
      parseReason,
    )
    .addHelpText('after', '\nExit codes: 0 erased, or could be; 1 not possible')
    .action(
      (email: string, { confirm, beforeRetentionEnds }: { confirm?: string; beforeRetentionEnds?: string }) =>
        run({ email, confirm: confirm ?? null, earlyReason: beforeRetentionEnds ?? null }),
    );
}

/**
 * Runs `keyturn client erase`: shows what is erased and what is kept, and erases it once it is confirmed.
 * @returns the exit code: 0 erased, or shown and possible; 1 not possible
 */
export function runEraseClient(
  { database, clock }: { database: Database; clock: Clock },
  { email, confirm, earlyReason }: EraseClientCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  return runTransaction(database, async (transaction) => {
    const now = clock();
    const found = await findClientByEmail(transaction, email, { lock: true });
    if (!found) {
      print(`${email}: ${unknownClient}`);
      return 1;
    }
    const plan = await planErasure(transaction, found, { now, lock: true });
    describePlan(plan).forEach(print);
    const obstacles = [...plan.obstacles, ...(earlyReason === null ? plan.retained : [])];
    if (obstacles.length > 0) {
      for (const obstacle of obstacles) print(`NOT POSSIBLE: ${obstacle}.`);
      if (confirm === plan.client.reference && plan.isPreventedByPayments) {
        await queueCancelPayments(transaction, { clientId: plan.client.id, reason: 'erasure_ordered' });
        print(cancelling);
      }
      if (plan.obstacles.length === 0)
        print('To erase it anyway, give the reason with --before-retention-ends.');
      return 1;
    }
    const { client } = plan;
    if (confirm !== client.reference) {
      print(
        `Nothing is erased yet. To erase it for good, add: --confirm ${JSON.stringify(client.reference)}`,
      );
      return confirm === null ? 0 : 1;
    }
    const early = plan.retained.length > 0 ? earlyReason : null;
    const order = {
      at: now,
      by: { actor: commandLineActor() },
      basis: 'request',
      earlyReason: early,
    } as const;
    for (const { number, kind, reference } of await erasePlanned(transaction, plan, order))
      print(`Erasure ${number}: ${kind} ${reference}`);
    afterwards.forEach(print);
    return 0;
  });
}

function describePlan({ client, erased, staying }: ErasurePlan): string[] {
  return [
    `Client ${client.reference}, ${client.name}`,
    'To be erased: name, email address, phone number, password, second factors, sign-ins, devices and links; the name and the IP addresses in the audit log',
    ...erased.map((found) => `To be erased: case ${describeCase(found)}`),
    ...staying.map(
      (found) =>
        `To be kept: case ${describeCase(found)}. It is also the file of ${found.sharedWith.join(' and ')}, with what this client signed and paid in it, and is erased with them or when its retention period ends.`,
    ),
    'To be kept: the numbers and dates of erasures, with hashes of references and files; amounts of payments without names; ids in the audit log',
  ];
}

const describeCase = ({
  reference,
  title,
  retainedUntil,
  documents,
  signatures,
  payments,
}: CaseOfClient): string =>
  `${reference}, “${title}” (${countOf(documents, 'document')}, ${countOf(signatures, 'signature')}, ${countOf(payments, 'payment')})${
    retainedUntil ? `, retained until ${formatDay(londonDay(retainedUntil))}` : ''
  }`;

const cancelling =
  'The client’s own open payments are being cancelled at the payment provider. Please repeat the command in a few minutes.';

const afterwards = [
  'The files are removed by the server within an hour. What remains to be done:',
  '1. Make a backup, so that a restore of an older one erases the client again.',
  '2. Delete old backups when your policy says so. They still contain the client.',
  '3. Erase the client in your other systems, at Stripe and in your mail server, and answer the request.',
];
