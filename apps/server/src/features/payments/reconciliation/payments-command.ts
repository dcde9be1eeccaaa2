import { parseArgs } from 'node:util';
import { formatMoney } from '@keyturn/format/money';
import { DomainError } from '../../../platform/domain-error.ts';
import { isId } from '../../../platform/ids.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, ProviderUnavailable } from '../ports.ts';
import { endReview, type ReviewEnd, ReviewGoesOn } from '../reviews/end-review.ts';
import { checkPayments } from './check-payments.ts';
import { findPaymentsUnderReview } from './check-store.ts';
import { describeDifference, whatToDo } from './differences.ts';

export const paymentsUsage = `Usage: keyturn payments check [--since DAY|DAYS] [--json]
Usage: keyturn payments review [PAYMENT ask|paid|give-up]`;

export type PaymentsCommand =
  | { name: 'check'; since: Date; json: boolean }
  | { name: 'review' }
  | { name: 'end review'; paymentId: string; end: ReviewEnd };

const dayLong = 24 * 3_600_000;
/** Days that the check looks back unless told. */
const lookBack = 30;

/** @returns null when the words of the command are not right */
export function parsePaymentsCommand(args: string[], now: Date): PaymentsCommand | null {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { since: { type: 'string' }, json: { type: 'boolean' } },
    });
    const [name, ...words] = positionals;
    if (name === 'check' && words.length === 0) {
      const since = parseSince(values.since ?? String(lookBack), now);
      return since && { name, since, json: values.json ?? false };
    }
    if (name !== 'review' || Object.keys(values).length > 0) return null;
    if (words.length === 0) return { name };
    const [paymentId = '', end = '', ...more] = words;
    const isRight = isId(paymentId) && isReviewEnd(end) && more.length === 0;
    return isRight ? { name: 'end review', paymentId, end } : null;
  } catch {
    return null;
  }
}

const isReviewEnd = (word: string): word is ReviewEnd =>
  word === 'ask' || word === 'paid' || word === 'give-up';

/** A day such as 2026-11-01, from its first moment in UTC, or a number of days before now. */
function parseSince(text: string, now: Date): Date | null {
  if (/^\d{1,4}$/.test(text)) return new Date(now.getTime() - Number(text) * dayLong);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day && !Number.isNaN(day.getTime()) ? day : null;
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
