import { countOf } from '@keyturn/format/count-of';
import { formatMoney } from '@keyturn/format/money';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { createCommand } from '../../platform/commands/create-command.ts';
import { FileNotWritten } from '../../platform/commands/file-not-written.ts';
import { DomainError, type ErrorCode } from '../../platform/domain-error.ts';
import { isId } from '../../platform/ids.ts';
import { type LedgerRequest, ledgerCommand, runLedger } from '../accounts/ledger-command.ts';
import { readContinuity } from '../continuity/continuity-store.ts';
import { type LinkCommand, linkCommand, runLinkCommand } from '../links/link-command.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { IntentNotFound, ProviderKeyRejected, ProviderUnavailable } from '../ports/provider.ts';
import { type AccountsCommand, accountsCommand, runAccountsCommand } from '../provider/accounts-command.ts';
import { describeDiscrepancy, fixes } from '../records/discrepancies.ts';
import {
  type NewInstallationRequest,
  newInstallationCommand,
  runNewInstallation,
} from '../recovery/new-installation-command.ts';
import { type RecoverRequest, recoverCommand, runRecovery } from '../recovery/recover-command.ts';
import { type RefundCommand, refundCommand, runRefundCommand } from '../refunds/refund-command.ts';
import { closeReview, type ReviewDecision } from '../reviews/close-review.ts';
import { auditPaymentsCommand } from './audit-payments-command.ts';
import { bankHolidayWarning } from './bank-holiday-warning.ts';
import { checkPayments } from './check-payments.ts';
import { findPaymentsUnderReview } from './reconciliation-store.ts';

export type PaymentsCommand =
  | { name: 'check'; since: Date; json: boolean }
  | AccountsCommand
  | LedgerRequest
  | RecoverRequest
  | NewInstallationRequest
  | { name: 'review' }
  | { name: 'close review'; paymentId: string; decision: ReviewDecision }
  | RefundCommand
  | LinkCommand;

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
    .description('List the payments that need review, or close the review of one.')
    .argument('[payment]', 'the id of the payment', parsePaymentId)
    .addArgument(new Argument('[decision]', 'how to close its review').choices(reviewDecisions))
    .addHelpText('after', '\nExit codes: 0 done, 1 the review is still open, 2 the provider is unavailable')
    .action(
      (paymentId: string | undefined, decision: ReviewDecision | undefined, _options, command: Command) => {
        if (paymentId === undefined) return run({ name: 'review' });
        if (decision === undefined) return command.error("error: missing required argument 'decision'");
        return run({ name: 'close review', paymentId, decision });
      },
    );
  return createCommand('payments')
    .description('Reconcile payments, resolve those that need review, refund payments and answer disputes.')
    .addCommand(check)
    .addCommand(ledgerCommand(clock, run))
    .addCommand(recoverCommand((text) => parseSince(text, clock()), run))
    .addCommand(newInstallationCommand(run))
    .addCommand(accountsCommand(run))
    .addCommand(review)
    .addCommand(refundCommand(run))
    .addCommand(linkCommand(run));
}

const reviewDecisions: readonly ReviewDecision[] = ['sync', 'paid', 'cancel'];

const dayLength = 24 * 3_600_000;
const defaultDays = 30;

function parsePaymentId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be the id of a payment.');
  return text;
}

/** Parses a day such as 2026-11-01 (from midnight UTC), or a number of days before now. */
function parseSince(text: string, now: Date): Date {
  if (/^\d{1,4}$/.test(text)) return new Date(now.getTime() - Number(text) * dayLength);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  if (!day || Number.isNaN(day.getTime())) {
    throw new InvalidArgumentError('It must be a day such as 2026-11-01, or a number of days.');
  }
  return day;
}

/**
 * Runs `keyturn payments check`, `keyturn payments review` or `keyturn payments refund`.
 * @param recheckDelay milliseconds before discrepancies with the provider are checked a second time
 * @returns the exit code: 0 no discrepancies, or done; 1 discrepancies, the review is still open, or nothing was
 *   refunded; 2 the provider is unavailable; 3 the file was not written
 */
export async function runPaymentsCommand(
  dependencies: PaymentDependencies,
  command: PaymentsCommand,
  print: (line: string) => void,
  recheckDelay = 35_000,
): Promise<0 | 1 | 2 | 3> {
  try {
    if (command.name === 'check') return await printDiscrepancies(dependencies, command, print, recheckDelay);
    await auditPaymentsCommand(dependencies, command);
    if (command.name === 'ledger') return await runLedger(dependencies, command, print);
    if (command.name === 'recover') return await runRecovery(dependencies, command, print);
    if (command.name === 'new installation') return await runNewInstallation(dependencies, command, print);
    if (command.name === 'accounts' || command.name === 'assign account')
      return await runAccountsCommand(dependencies, command, print);
    if (command.name === 'review') return await printReviews(dependencies, print);
    // Closing a review now could use a receipt number that was already issued.
    const { pausedReason } = await readContinuity(dependencies.database);
    if (pausedReason !== null) {
      print(`Payments are paused: ${pausedReason}. Run keyturn payments recover first.`);
      return 1;
    }
    if (command.name === 'close review') return await printClosedReview(dependencies, command, print);
    if (command.name === 'link') return await runLinkCommand(dependencies, command, print);
    return await runRefundCommand(dependencies, command, print);
  } catch (error) {
    if (error instanceof DomainError && explainedCodes.includes(error.code)) {
      print(error.message);
      return 1;
    }
    if (error instanceof FileNotWritten) {
      print(error.message);
      return 3;
    }
    if (error instanceof ProviderKeyRejected) {
      print(`${error.message}. Check the key of the payment provider in the settings, and its permissions.`);
      return 2;
    }
    const isUnavailable = error instanceof ProviderUnavailable || error instanceof DomainError;
    if (!isUnavailable && !(error instanceof IntentNotFound)) throw error;
    print(
      isUnavailable
        ? 'The payment provider is unavailable. Try again later.'
        : 'The provider has no intent with the id that is stored for this payment.',
    );
    return 2;
  }
}

/** Their messages tell the operator why, and what to do. */
const explainedCodes: ErrorCode[] = [
  'refund_not_possible',
  'refund_above_limit',
  'review_still_open',
  'link_not_possible',
];

async function printDiscrepancies(
  dependencies: PaymentDependencies,
  { since, json }: { since: Date; json: boolean },
  print: (line: string) => void,
  recheckDelay: number,
): Promise<0 | 1> {
  const report = await checkPayments(dependencies, { since, recheckDelay });
  const { payments, intents, discrepancies } = report;
  if (json) {
    const withFixes = discrepancies.map((discrepancy) => ({ ...discrepancy, fix: fixes[discrepancy.kind] }));
    print(JSON.stringify({ since, payments, intents, discrepancies: withFixes }, null, 2));
  } else {
    for (const discrepancy of discrepancies) print(describeDiscrepancy(discrepancy));
    const outcome =
      discrepancies.length === 0
        ? 'No discrepancies found'
        : `${countOf(discrepancies.length, 'discrepancy', 'discrepancies')} found`;
    const warning = await bankHolidayWarning(dependencies.database, dependencies.clock());
    if (warning) print(`Warning: ${warning}.`);
    print(
      `${outcome}: ${countOf(payments, 'payment')} and ${countOf(intents, 'intent')} since ${since.toISOString()}.`,
    );
  }
  return discrepancies.length === 0 ? 0 : 1;
}

async function printReviews({ database }: PaymentDependencies, print: (line: string) => void): Promise<0> {
  const rows = await findPaymentsUnderReview(database);
  for (const row of rows) {
    const { id, status, method, amount, description, provider, providerIntentId, reviewReason } = row;
    const intent = providerIntentId ?? 'no intent';
    print(
      `${id}: ${reviewReason}. The payment is ${status}: ${formatMoney(amount)} by ${method} for ${description}, ${provider} ${intent}.`,
    );
  }
  if (rows.length === 0) print('No payments need review.');
  return 0;
}

async function printClosedReview(
  dependencies: PaymentDependencies,
  { paymentId, decision }: { paymentId: string; decision: ReviewDecision },
  print: (line: string) => void,
): Promise<0> {
  const { id, status } = await closeReview(dependencies, paymentId, decision);
  print(`${id}: the review is closed. The payment is ${status}.`);
  return 0;
}
