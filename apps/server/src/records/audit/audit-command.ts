import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AuditAction, auditActions } from '../../platform/audit/audit-entry.ts';
import { commandLineActor, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { parseStartOfDay } from '../../platform/commands/parse-day.ts';
import type { Connection } from '../../platform/database.ts';
import type { AuditHead } from '../../platform/operations/completed-operations.ts';
import { type AuditFilter, findNewestEntries, type LinkedEntry } from './audit-store.ts';
import { type AuditFormat, exportAudit } from './export-audit.ts';
import { verifyAudit } from './verify-audit.ts';

export type AuditCommand =
  | { name: 'list'; filter: AuditFilter; before: number | null; limit: number }
  | { name: 'verify'; expected: AuditHead | null }
  | { name: 'export'; filter: AuditFilter; file: string; format: AuditFormat };

/** Defines `keyturn audit`. */
export function auditCommand(run: (parsed: AuditCommand) => Promise<void>): Command {
  const list = withFilter(createCommand('list').description('Show entries of the audit log, newest first.'))
    .option('--limit <number>', 'how many entries', parsePositive, 50)
    .option('--before <position>', 'continue with the entries before this position', parsePositive)
    .action(({ limit, before = null, ...filter }) => run({ name: 'list', filter, before, limit }));
  const verify = createCommand('verify')
    .description('Check the hash of every entry, and print the last position.')
    .option(
      '--expect <position:hash>',
      'a position that was printed earlier, to detect that newer entries were removed',
      parseHead,
    )
    .addHelpText('after', '\nExit codes: 0 intact, 1 not intact')
    .action(({ expect: expected = null }) => run({ name: 'verify', expected }));
  const exporting = withFilter(
    createCommand('export').description('Write the audit log to a new file, oldest entry first.'),
  )
    .argument('<file>', 'the file, which must not exist')
    .addOption(
      new Option('--format <format>', 'a spreadsheet or JSON lines').choices(['csv', 'jsonl']).default('csv'),
    )
    .action((file: string, { format, ...filter }) => run({ name: 'export', filter, file, format }));
  return createCommand('audit')
    .description('Read, verify and export the audit log.')
    .addCommand(list)
    .addCommand(verify)
    .addCommand(exporting);
}

const withFilter = (command: Command) =>
  command
    .option('--actor <id or name>', 'only what this person, key or command-line user did')
    .addOption(new Option('--action <action>', 'only this action').choices([...auditActions]))
    .option('--subject <id or reference>', 'only what was done to this record')
    .option('--since <day>', 'from this day, such as 2026-11-01 (UTC)', parseStartOfDay)
    .option('--until <day>', 'before this day', parseStartOfDay);

function parsePositive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 1 or more.');
  return Number(text);
}

function parseHead(text: string): AuditHead {
  const [, position = '', hash = ''] = /^([1-9]\d{0,14}):([\da-f]{64})$/.exec(text) ?? [];
  if (hash === '') throw new InvalidArgumentError('It must be a position and a hash, such as 12:9f86d0….');
  return { position: Number(position), hash };
}

/**
 * Runs `keyturn audit`. An export is audited before the file is written: it takes the log out of the installation.
 * @returns the exit code: 0 done, 1 the log is not intact
 */
export async function runAuditCommand(
  { database, clock }: { database: Connection; clock: Clock },
  command: AuditCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  if (command.name === 'list') return printEntries(database, command, print);
  if (command.name === 'export') {
    await recordAudit(database, {
      occurredAt: clock(),
      actor: commandLineActor(),
      action: 'audit.export_requested',
      subject: { kind: 'audit_log', id: null },
      after: { format: command.format },
    });
    const count = await exportAudit(database, command);
    print(`${count} ${count === 1 ? 'entry' : 'entries'} written to ${command.file}`);
    return 0;
  }
  const result = await verifyAudit(database, command.expected);
  if (!result.isIntact) {
    print(`The audit log is not intact: ${result.problem}.`);
    return 1;
  }
  const { head, redactions } = result;
  for (const [erasure, count] of redactions)
    print(`Erasure ${erasure} removed the client’s name from ${count} ${count === 1 ? 'entry' : 'entries'}.`);
  print(head ? `The audit log is intact up to ${head.position}:${head.hash}` : 'The audit log is empty.');
  return 0;
}

async function printEntries(
  database: Connection,
  { filter, before, limit }: Extract<AuditCommand, { name: 'list' }>,
  print: (line: string) => void,
): Promise<0> {
  // Reads one entry more than requested, to know whether there are older ones.
  const found = await findNewestEntries(database, filter, { before, limit: limit + 1 });
  const shown = found.slice(0, limit);
  for (const linked of shown) print(describeEntry(linked));
  if (shown.length === 0) print('No entries found.');
  const last = shown.at(-1);
  if (last && found.length > limit) print(`Older entries: add --before ${last.position}`);
  return 0;
}

function describeEntry({ position, entry }: LinkedEntry): string {
  const { occurredAt, actor, action, subject, address, before, after } = entry;
  const parts = [
    `${position}`,
    occurredAt.toISOString(),
    action satisfies AuditAction,
    [subject.kind, subject.id].filter((part) => part !== null).join(' '),
    `by ${actor.kind} ${JSON.stringify(actor.name)}${actor.id === null ? '' : ` ${actor.id}`}`,
    ...(address === null ? [] : [`from ${address}`]),
    ...(before === null ? [] : [`before ${JSON.stringify(before)}`]),
    ...(after === null ? [] : [`after ${JSON.stringify(after)}`]),
  ];
  return parts.join('  ');
}
