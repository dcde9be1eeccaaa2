import type { Payment } from '@keyturn/contract';
import { StripeApiError } from '@keyturn/testkit/stripe-simulator/stripe-api-error.ts';
import type { OutcomeEntry } from '../history.ts';

/** The outcome of an operation, without the operation's number. */
export type Outcome = Omit<OutcomeEntry, 'operation'>;

/** An operation with its arguments chosen. */
export interface Plan {
  asked: Record<string, unknown>;
  /** @param operation its number */
  work(operation: number): Promise<Outcome>;
}

/** Chooses the arguments of an operation. @returns undefined if there is nothing to apply it to */
export type Planner = (draws: number[]) => Plan | undefined;

export const oneOf = <Thing>(things: readonly Thing[], draw: number): Thing | undefined =>
  things[Math.floor(draw * things.length)];

/** Adds a thing and keeps the newest 30, because clients return to recent payments, not to all of them. */
export function remember<Thing>(things: Thing[], thing: Thing): void {
  things.push(thing);
  if (things.length > 30) things.shift();
}

/** @returns the outcome of an operation that read these payments */
export const readPayments = (read: Payment[]): Outcome => ({
  type: 'ok',
  payments: Object.fromEntries(read.map(({ id, status }) => [id, status])),
});

/** Calls Stripe. @returns the outcome, with Stripe's error code if the call fails */
export function atStripe(work: () => Omit<Outcome, 'type'>): Outcome {
  try {
    return { type: 'ok', ...work() };
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    const { code, message } = error.body.error;
    return { type: 'fail', code: String(code ?? message) };
  }
}
