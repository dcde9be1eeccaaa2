import { writeFile } from 'node:fs/promises';
import { countOf } from '@keyturn/format/count-of';
import { formatDay, londonDay } from '@keyturn/format/london-time';
import { formatMoney } from '@keyturn/format/money';
import { type Command, Option } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { writeForOperator } from '../../platform/commands/file-not-written.ts';
import { parseDay } from '../../platform/commands/parse-day.ts';
import { findExportProfile } from './exports/find-profile.ts';
import { ledgerCsv } from './exports/ledger-csv.ts';
import { type BalanceDependencies, fetchBalance } from './fetch-balance.ts';
import type { LedgerAccount } from './ledger-postings.ts';
import { readLedgerReport } from './ledger-report.ts';
import type { Ledger, LedgerPeriod } from './read-ledger.ts';

export interface LedgerRequest extends LedgerPeriod {
  name: 'ledger';
  /** The file for the CSV; null to print tables. */
  csv: string | null;
  /** The name of the CSV file’s format; undefined for the first. */
  profile?: string | undefined;
}

interface LedgerOptions extends LedgerPeriod {
  csv?: string | null;
  profile?: string;
}

/** Defines `keyturn payments ledger`. */
export function ledgerCommand(clock: Clock, run: (parsed: LedgerRequest) => Promise<void>): Command {
  const today = londonDay(clock());
  return createCommand('ledger')
    .description(
      'Fetch the balance from the provider, and print what was received, refunded, charged and paid out.',
    )
    .addOption(
      new Option('--from <day>', 'the first day, such as 2026-11-01')
        .argParser(parseDay)
        .default(`${today.slice(0, 7)}-01`, 'the first of this month'),
    )
    .addOption(new Option('--to <day>', 'the last day').argParser(parseDay).default(today, 'today'))
    .option('--csv <file>', 'write each movement to a new CSV file')
    .option(
      '--profile <name>',
      'the export format of the CSV file, as finance named it at the desk; by default the first',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 discrepancies found, 2 the provider is unavailable, 3 the file was not written',
    )
    .action(({ from, to, csv = null, profile }: LedgerOptions, command: Command) => {
      if (from > to) return command.error('error: --from must not be after --to');
      if (profile !== undefined && csv === null) return command.error('error: --profile is only for --csv');
      return run({ name: 'ledger', from, to, csv, profile });
    });
}

/**
 * Runs `keyturn payments ledger`.
 * @returns the exit code: 0 done, 1 discrepancies, 3 no format of that name
 * @throws ProviderUnavailable; FileNotWritten if the CSV file exists or cannot be written
 */
export async function runLedger(
  dependencies: BalanceDependencies,
  { from, to, csv, profile: name }: LedgerRequest,
  print: (line: string) => void,
): Promise<0 | 1 | 3> {
  const { profile, names } = await findExportProfile(dependencies.database, name);
  if (!profile) {
    print(`No export format is called "${name}". There are: ${names.join(', ')}.`);
    return 3;
  }
  await fetchBalance(dependencies);
  const { ledger, discrepancies } = await readLedgerReport(dependencies, { from, to });
  if (csv === null) for (const line of describeLedger(ledger)) print(line);
  else {
    // Fails for an existing file, so that an earlier report is not overwritten by mistake.
    await writeForOperator(csv, () => writeFile(csv, ledgerCsv(ledger.entries, profile), { flag: 'wx' }));
    print(`${countOf(ledger.entries.length, 'movement')} written to ${csv}.`);
  }
  for (const { kind, subject, found } of discrepancies) print(`${kind} ${subject}: ${found}.`);
  print(
    discrepancies.length === 0
      ? 'Keyturn’s payments, the provider’s movements and its payouts agree.'
      : 'Run "keyturn payments check" for the fix of each discrepancy.',
  );
  return discrepancies.length === 0 ? 0 : 1;
}

/** Formats a ledger as lines of text: a table of days, client money by matter, and the accounts. */
function describeLedger({ from, to, days, matters, balances }: Ledger): string[] {
  return [
    `Money paid online from ${formatDay(from)} to ${formatDay(to)}`,
    '',
    ...formatTable([
      ['Day', 'Received', 'Refunded', 'Disputed', 'Fees', 'Paid out', 'Not ours', 'At the provider'],
      ...days.map((day) => [
        day.day,
        ...[day.received, day.refunded, day.disputed, day.fees, day.paidOut, day.notOurs, day.balance].map(
          formatMoney,
        ),
      ]),
    ]),
    '',
    `Received online by matter, less refunds, at the end of ${formatDay(to)}. This is not the client ledger balance.`,
    ...formatTable([
      ['Case', 'Matter', 'Received online, less refunds'],
      ...matters.map(({ caseReference, matterReference, clientMoney }) => [
        caseReference,
        matterReference ?? '-',
        formatMoney(clientMoney),
      ]),
    ]),
    '',
    `Accounts at the end of ${formatDay(to)}`,
    ...formatTable([
      ['', 'Client account', 'Business account'],
      ...accountRows.map(([name, account]) => [
        name,
        formatMoney(balances.client[account]),
        formatMoney(balances.business[account]),
      ]),
    ]),
    ...describeTransfers(balances),
    '',
  ];
}

const accountRows: [name: string, account: LedgerAccount][] = [
  ['At the provider', 'provider'],
  ['Paid out to the bank', 'bank'],
  ['Provider’s fees', 'card_costs'],
  ['Chargebacks until they are settled', 'chargebacks'],
  ['Received for clients, less refunds', 'client_money'],
  ['Paid for bills, and repaid to the firm', 'business_money'],
  ['Not from payments in Keyturn', 'not_ours'],
];

/**
 * Lists the amounts that are in the wrong bank account: client money belongs in the client account, the firm’s own in the
 * business account, which also bears fees and chargebacks.
 */
function describeTransfers({ client, business }: Ledger['balances']): string[] {
  const lines: [number, string][] = [
    [client.card_costs, 'of fees must be repaid from the business account to the client account.'],
    [client.chargebacks, 'of chargebacks must be made good from the business account to the client account.'],
    [-client.business_money, 'of the firm’s money at the client account belongs in the business account.'],
    [-business.client_money, 'of client money at the business account belongs in the client account.'],
  ];
  return lines.filter(([amount]) => amount > 0).map(([amount, what]) => `${formatMoney(amount)} ${what}`);
}

/** Pads the columns of a table, whose first row has the names. Amounts are aligned to the right. */
function formatTable(rows: string[][]): string[] {
  if (rows.length === 1) return ['None.'];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        cell.includes('£') ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
