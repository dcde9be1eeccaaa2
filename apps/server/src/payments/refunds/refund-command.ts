import type { StoredRefundStatus } from '@keyturn/contract';
import { formatMoney } from '@keyturn/format/money';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { createCommand } from '../../platform/commands/create-command.ts';
import { isId } from '../../platform/ids.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { type RefundReason, refundReasons } from '../ports/refunds.ts';
import { hasRefundFailed } from '../records/refund-states.ts';
import { findRefund, findRefundsToApprove } from '../records/refunds-store.ts';
import type { RefundRow } from '../records/rows.ts';
import { readRefundBalance } from './refund-balance.ts';
import { type RefundRequest, refundNotPossible, rejectRefund, storeRefundRequest } from './request-refund.ts';
import { submitRefund } from './submit-refund.ts';

export type RefundCommand =
  | ({ name: 'refund' } & RefundRequest)
  | { name: 'list refunds' }
  | { name: 'reject refund'; refundId: string; reason: string }
  | { name: 'submit refund'; refundId: string };

interface RefundOptions {
  amount: number;
  reason: string;
  code: RefundReason;
  requestedBy: string;
  key?: string;
}

/** Defines `keyturn payments refund`. */
export function refundCommand(run: (parsed: RefundCommand) => Promise<void>): Command {
  const list = createCommand('list')
    .description('List the refunds that wait for a member of finance to approve them at the desk.')
    .action(() => run({ name: 'list refunds' }));
  const reject = createCommand('reject')
    .description('Reject a refund that waits for approval.')
    .argument('<refund>', 'the id of the refund', parseRefundId)
    .requiredOption('--reason <text>', 'why, and who decided it', parseText)
    .action((refundId: string, { reason }: { reason: string }) =>
      run({ name: 'reject refund', refundId, reason }),
    );
  const submit = createCommand('submit')
    .description('Make an approved refund that has not reached the provider.')
    .argument('<refund>', 'the id of the refund', parseRefundId)
    .action((refundId: string) => run({ name: 'submit refund', refundId }));
  // A separate command, because required options of `refund` itself would apply to its subcommands too.
  const create = createCommand('create')
    .description(
      'Request a refund of a part or all of a payment. A member of finance approves it at the desk.',
    )
    .argument('<payment>', 'the id of the payment', parsePaymentId)
    .requiredOption('--amount <pounds>', 'how much, such as 6.00', parsePounds)
    .requiredOption('--reason <text>', 'why, for the firm’s record; the client does not see it', parseText)
    .addOption(
      new Option('--code <code>', 'the reason for the provider')
        .choices([...refundReasons])
        .default('requested_by_customer'),
    )
    .requiredOption('--requested-by <name>', 'who asks for it; another person approves it', parseText)
    .option('--key <key>', 'distinguishes two refunds with the same amount and reason', parseText)
    .addHelpText(
      'after',
      '\nA repeated command makes no second request.' +
        '\nExit codes: 0 waiting for approval, 1 not possible, 2 the provider is unavailable',
    )
    .action((paymentId: string, { amount, reason, code, requestedBy, key }: RefundOptions) =>
      run({
        name: 'refund',
        paymentId,
        amount,
        reason: code,
        note: reason,
        requestedBy,
        staff: null,
        key: key ?? null,
      }),
    );
  return createCommand('refund')
    .description('Request a refund, list or reject requests, or submit an approved refund.')
    .addCommand(create, { isDefault: true })
    .addCommand(list)
    .addCommand(reject)
    .addCommand(submit);
}

/**
 * Runs `keyturn payments refund` and its subcommands.
 * @returns the exit code: 0 done, or waiting for approval; 1 not possible, or the refund failed
 * @throws DomainError `refund_not_possible`; ProviderUnavailable
 */
export async function runRefundCommand(
  dependencies: PaymentDependencies,
  command: RefundCommand,
  print: (line: string) => void,
): Promise<0 | 1> {
  if (command.name === 'list refunds') {
    for (const line of await describeWaiting(dependencies)) print(line);
    return 0;
  }
  if (command.name === 'refund') await printAvailable(dependencies, command.paymentId, print);
  const { refund, isNew } = await perform(dependencies, command);
  const amount = formatMoney(refund.amount);
  print(`${refund.id}: ${describe[refund.status](amount, refund)}`);
  if (!isNew) print('An earlier command requested this refund. Add --key KEY to make another one.');
  const isRejected = refund.status === 'rejected' && command.name !== 'reject refund';
  return isRejected || hasRefundFailed(refund.status) ? 1 : 0;
}

/** Prints what the provider can refund from. A balance that cannot be read does not stop the refund. */
async function printAvailable(
  dependencies: PaymentDependencies,
  paymentId: string,
  print: (line: string) => void,
): Promise<void> {
  const balance = await readRefundBalance(dependencies, paymentId).catch(() => null);
  if (balance?.is_period_over)
    print('This payment by bank is older than 730 days: the provider may refuse it.');
  if (balance && balance.available !== null)
    print(`${formatMoney(balance.available)} is available for refunds at the provider.`);
}

async function perform(
  dependencies: PaymentDependencies,
  command: Exclude<RefundCommand, { name: 'list refunds' }>,
): Promise<{ refund: RefundRow; isNew: boolean }> {
  switch (command.name) {
    case 'refund':
      return storeRefundRequest(dependencies, command);
    case 'reject refund':
      return { refund: await rejectRefund(dependencies, command), isNew: true };
    case 'submit refund': {
      const isKnown = (await findRefund(dependencies.database, command.refundId)) !== undefined;
      if (!isKnown) throw refundNotPossible('There is no such refund.');
      return { refund: await submitRefund(dependencies, command.refundId), isNew: true };
    }
  }
}

async function describeWaiting({ database }: PaymentDependencies): Promise<string[]> {
  const waiting = await findRefundsToApprove(database);
  if (waiting.length === 0) return ['No refund waits for approval.'];
  return waiting.map(
    ({ id, amount, requestedBy, createdAt }) =>
      `${id}: ${formatMoney(amount)}, requested by ${requestedBy} at ${createdAt.toISOString()}`,
  );
}

const describe: Record<StoredRefundStatus, (amount: string, refund: RefundRow) => string> = {
  awaiting_approval: (amount) =>
    `the refund of ${amount} waits for a member of finance, who approves it at the desk.`,
  approved: (amount) => `the refund of ${amount} is being submitted.`,
  rejected: (amount, { failureReason }) =>
    `the refund of ${amount} is rejected (${failureReason}). Nothing was paid back.`,
  pending: (amount) => `the provider is making the refund of ${amount}.`,
  requires_action: (amount) => `the refund of ${amount} needs action at the provider.`,
  succeeded: (amount) => `${amount} was refunded.`,
  failed: (amount, { failureReason }) =>
    `the refund of ${amount} failed (${failureReason ?? 'no reason given'}). Refund it again with another --key, or pay the client back another way.`,
  cancelled: (amount) => `the refund of ${amount} was cancelled at the provider.`,
};

function parsePounds(text: string): number {
  const [, pounds, pence = '0'] = /^£?(\d{1,6})(?:\.(\d{2}))?$/.exec(text) ?? [];
  const amount = Number(pounds) * 100 + Number(pence);
  if (pounds === undefined || amount === 0) {
    throw new InvalidArgumentError('It must be an amount in pounds, such as 6 or 6.00.');
  }
  return amount;
}

function parseText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 500)
    throw new InvalidArgumentError('It must have 1 to 500 characters.');
  return trimmed;
}

function parseRefundId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be the id of a refund.');
  return text;
}

function parsePaymentId(text: string): string {
  if (!isId(text)) throw new InvalidArgumentError('It must be the id of a payment.');
  return text;
}
