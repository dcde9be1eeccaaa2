import type { DepositHolding } from '@keyturn/contract';
import type { DeskMatter, ExchangeMark } from '@keyturn/contract/staff';
import { formatMoney } from '@keyturn/format/money';
import { readPence } from '../../../ui/forms/entered-price.ts';

/** The form that marks an exchange. */
export interface EnteredExchange {
  exchanged_on: string;
  completion_on: string;
  /** `none`: no deposit is paid. Empty: not chosen yet. */
  deposit_held_as: DepositHolding | 'none' | '';
  /** Pounds. */
  deposit_amount: string;
  authorised_by: string;
  authorised_on: string;
  is_confirmed: boolean;
}

export const depositHoldingNames: Record<DepositHolding, string> = {
  stakeholder: 'held as stakeholder',
  agent: 'held as agent for the seller',
};

const needed = {
  exchanged_on: 'Enter the day of the exchange.',
  completion_on: 'Enter the completion date that the contracts name.',
  deposit_held_as: 'Choose how the deposit is held.',
  authorised_by: 'Enter the member of your firm who authorised the exchange.',
  authorised_on: 'Enter the day on which it was authorised.',
} as const;

/** Fills the form with what is known of the exchange. @param today in London */
export function enteredExchange(matter: DeskMatter, today: string): EnteredExchange {
  const { exchange, exchanged_on, milestones, target_completion_on } = matter;
  const reachedOn = milestones.find(({ key }) => key === 'exchanged')?.reached_on;
  const amount = exchange?.deposit?.amount;
  return {
    exchanged_on: exchanged_on ?? reachedOn ?? today,
    completion_on: target_completion_on ?? '',
    deposit_held_as: exchange ? (exchange.deposit?.held_as ?? 'none') : '',
    deposit_amount: amount === undefined ? '' : (amount / 100).toFixed(2),
    authorised_by: exchange?.authorised_by ?? '',
    authorised_on: exchange?.authorised_on ?? (isExchanged(matter) ? '' : today),
    is_confirmed: false,
  };
}

/** Whether contracts are marked as exchanged, by the firm’s system or at the desk. */
export const isExchanged = ({ exchanged_on, milestones }: DeskMatter): boolean =>
  exchanged_on !== null || milestones.some(({ key, status }) => key === 'exchanged' && status === 'done');

/** Returns the fields that must be filled in or corrected before the exchange can be marked. */
export function faultsOfExchange(entered: EnteredExchange): Partial<Record<keyof EnteredExchange, string>> {
  const { deposit_held_as, deposit_amount, is_confirmed } = entered;
  const hasDeposit = deposit_held_as !== '' && deposit_held_as !== 'none';
  return {
    ...Object.fromEntries(
      Object.entries(needed).filter(([field]) => entered[field as keyof typeof needed].trim() === ''),
    ),
    ...(hasDeposit && !readPence(deposit_amount)
      ? { deposit_amount: 'Enter the deposit in pounds, for example 52,000.00.' }
      : {}),
    ...(is_confirmed ? {} : { is_confirmed: 'Confirm that contracts are exchanged.' }),
  };
}

/** Converts a form without faults to the request. */
export function exchangeMark(entered: EnteredExchange, version: string): ExchangeMark {
  const { exchanged_on, completion_on, deposit_held_as, deposit_amount, authorised_by, authorised_on } =
    entered;
  return {
    version,
    exchanged_on,
    completion_on,
    deposit:
      deposit_held_as === 'none' || deposit_held_as === ''
        ? null
        : { amount: readPence(deposit_amount) ?? 0, held_as: deposit_held_as },
    authorised_by: authorised_by.trim(),
    authorised_on,
  };
}

/** Says how the deposit is held: "£52,000.00, held as stakeholder". Null if the exchange was recorded without details. */
export function depositText(exchange: DeskMatter['exchange']): string | null {
  if (!exchange) return null;
  const { deposit } = exchange;
  return deposit ? `${formatMoney(deposit.amount)}, ${depositHoldingNames[deposit.held_as]}` : 'None';
}
