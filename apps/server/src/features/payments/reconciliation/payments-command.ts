import { formatMoney } from '@keyturn/format/money';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../../platform/clock.ts';
import { createCommand } from '../../../platform/create-command.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, ProviderUnavailable } from '../ports.ts';
import { endReview, type ReviewEnd, ReviewGoesOn } from '../reviews/end-review.ts';
import { checkPayments } from './check-payments.ts';
import { findPaymentsUnderReview } from './check-store.ts';
import { describeDifference, whatToDo } from './differences.ts';

export type PaymentsCommand =
  | { name: 'check'; since: Date; json: boolean }
  | { name: 'review' }
  | { name: 'end review'; paymentId: string; end: ReviewEnd };

/** Defines `keyturn payments`. */
export function paymentsCommand(clock: Clock, run: (parsed: PaymentsCommand) => Promise<void>): Command {
  const check = createCommand('check')
    .description(
      'Reconcile payments with the ledger, searches, receipts and the provider, and list discrepancies.',
    )
    .addOption(
      new Option('--since <day|days>', 'the first day, such as 2026-11-01 (UTC), or a number of days')
        .argParser((text) => parseSince(text, clock()))
        .default(new Date(clock().getTime() - defaultDays * dayLength), `${defaultDays} days`),
    )
    .option('--json', 'print the discrepancies as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 no discrepancies, 1 discrepancies found, 2 the provider is unavailable',
    )
    .action(({ since, json = false }) => run({ name: 'check', since, json }));
  const review = createCommand('review')
    .description('List the payments that need review, or end the review of one.')
    .argument('[payment]', 'the id of the payment', parsePaymentId)
    .addArgument(new Argument('[decision]', 'how to end its review').choices(reviewEnds))
    .addHelpText('after', '\nExit codes: 0 done, 1 the review is still open, 2 the provider is unavailable')
    .action((paymentId: string | undefined, end: ReviewEnd | undefined, _options, command: Command) => {
      if (paymentId === undefined) return run({ name: 'review' });
      if (end === undefined) return command.error("error: missing required argument 'decision'");
      return run({ name: 'end review', paymentId, end });
    });
  return createCommand('payments')
    .description('Reconcile payments, and resolve those that need review.')
    .addCommand(check)
    .addCommand(review);
}

const reviewEnds: readonly ReviewEnd[] = ['ask', 'paid', 'give-up'];

const dayLength = 24 * 3_600_000;
const defaultDays = 30;

function parsePaymentId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be the id of a payment.');
  return text;
}

/** Parses a day such as 2026-11-01, which starts at midnight UTC, or a number of days before now. */
function parseSince(text: string, now: Date): Date {
  if (/^\d{1,4}$/.test(text)) return new Date(now.getTime() - Number(text) * dayLength);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (!day || Number.isNaN(day.getTime())) {
    throw new InvalidArgumentError('It must be a day such as 2026-11-01, or a number of days.');
  }
  return day;
}

/**
 * Checks the payments, lists those that a person has to look at, or ends the review of one.
 * @param settling milliseconds between the two looks of the check
 * @returns the exit code: 0 all agrees, or done; 1 something differs, or was not done; 2 the provider cannot be asked
 */
export async function runPaymentsCommand(
  dependencies: PaymentDependencies,
  asked: PaymentsCommand,
  print: (line: string) => void,
  settling = 35_000,
): Promise<0 | 1 | 2> {
  try {
    if (asked.name === 'check') return await check(dependencies, asked, print, settling);
    if (asked.name === 'review') return await list(dependencies, print);
    return await end(dependencies, asked, print);
  } catch (error) {
    if (error instanceof ReviewGoesOn) {
      print(error.message);
      return 1;
    }
    const isAway = error instanceof ProviderUnavailable || error instanceof DomainError;
    if (!isAway && !(error instanceof IntentNotFound)) throw error;
    print(
      isAway ? 'The payment provider cannot be asked at the moment.' : 'The provider has no such intent.',
    );
    return 2;
  }
}

async function check(
  dependencies: PaymentDependencies,
  { since, json }: { since: Date; json: boolean },
  print: (line: string) => void,
  settling: number,
): Promise<0 | 1> {
  const report = await checkPayments(dependencies, { since, settling });
  const { payments, intents, differences } = report;
  if (json) {
    const told = differences.map((difference) => ({ ...difference, to_do: whatToDo[difference.kind] }));
    print(JSON.stringify({ since, payments, intents, differences: told }, null, 2));
  } else {
    for (const difference of differences) print(describeDifference(difference));
    const outcome =
      differences.length === 0
        ? 'All agrees'
        : `${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}`;
    print(`${outcome}: ${payments} payments and ${intents} intents since ${since.toISOString()}.`);
  }
  return differences.length === 0 ? 0 : 1;
}

async function list({ database }: PaymentDependencies, print: (line: string) => void): Promise<0> {
  const rows = await findPaymentsUnderReview(database);
  for (const { id, status, amount, description, provider, providerIntentId, reviewReason } of rows) {
    const intent = providerIntentId ?? 'no intent';
    print(
      `${id}: ${reviewReason}. It is ${status}, ${formatMoney(amount)} for ${description}, at ${provider} ${intent}.`,
    );
  }
  if (rows.length === 0) print('No payment has to be looked at.');
  return 0;
}

async function end(
  dependencies: PaymentDependencies,
  asked: { paymentId: string; end: ReviewEnd },
  print: (line: string) => void,
): Promise<0> {
  const { id, status } = await endReview(dependencies, asked.paymentId, asked.end);
  print(`${id}: it is ${status}, and nobody has to look at it.`);
  return 0;
}
