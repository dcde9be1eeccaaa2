import { setTimeout as pause } from 'node:timers/promises';
import type { FirmSearch } from '../system/build-firm.ts';
import type { FirmCommand } from '../system/command-process.ts';
import type { CommandResult } from '../system/command-processes.ts';
import type { World } from '../system/start-system.ts';
import { type Actor, type ActorOptions, createRunner } from './client-operations.ts';
import { atStripe, type Outcome, oneOf, type Plan } from './outcome.ts';
import { isByBank } from './pay-by-bank-operations.ts';

/** Milliseconds after which staff stop repeating a command. */
const patience = 30_000;

/** Creates the firm: its staff request refunds with `keyturn payments refund`, approve them at the desk or refund at Stripe, and its feed changes prices. */
export function createFirmActor(options: ActorOptions): Actor {
  const { world } = options;
  const { simulator } = world;
  let keys = 0;
  /** Refund requests that wait for approval. */
  const waiting: string[] = [];
  const run = createRunner(options, null, {
    refund: ([which = 0, share = 0, fate = 0]) => {
      const charge = chargeOf(world, which);
      if (!charge) return;
      keys += 1;
      const { payment } = charge;
      const amount = amountOf(charge, share);
      const key = `refund-${keys}`;
      return {
        asked: { payment, amount, key },
        work: async () => {
          const status = fateOf(fate);
          if (status) simulator.refunds.nextStatuses.push(status);
          const { outcome, waitingId } = await requestRefund(world, { paymentId: payment, amount, key });
          if (waitingId) waiting.push(waitingId);
          return outcome;
        },
      };
    },
    'decide on a refund': ([which = 0, approval = 0]) => {
      const refundId = oneOf(waiting, which);
      if (!refundId) return;
      waiting.splice(waiting.indexOf(refundId), 1);
      const isApproved = approval < 0.8;
      return {
        asked: { refund: refundId, isApproved },
        work: () => decideOnRefund(world, refundId, isApproved),
      };
    },
    'refund at the provider': ([which = 0, share = 0, fate = 0]) => {
      const charge = chargeOf(world, which);
      if (!charge) return;
      const amount = amountOf(charge, share);
      return atProvider({ payment: charge.payment, amount }, () => {
        const status = fateOf(fate);
        if (status) simulator.refunds.nextStatuses.push(status);
        const { id } = simulator.refunds.create({ payment_intent: charge.intent, amount });
        return { refund: id };
      });
    },
    'change a price': ([which = 0, price = 0]) => {
      const search = oneOf(world.searches, which);
      if (!search) return;
      const net = 9_000 + 500 * Math.floor(price * 8);
      return { asked: { search: search.id, net }, work: () => changePrice(world, search, net) };
    },
    'open a review': ([which = 0]) => {
      const charge = cardChargeOf(world, which);
      const isReviewed = charge && simulator.charges.find(charge.id).review !== null;
      if (!charge || isReviewed) return;
      return atProvider({ payment: charge.payment }, () => ({ code: simulator.reviews.open(charge.id).id }));
    },
    'close a review': ([which = 0, reason = 0]) => {
      const review = oneOf(simulator.reviews.list({ limit: 100 }).data, which);
      return (
        review &&
        atProvider({ review: review.id }, () => {
          simulator.reviews.close(review.id, reason < 0.7 ? 'approved' : 'refunded_as_fraud');
          return {};
        })
      );
    },
  });
  return { perform: ({ kind, draws }) => run(kind, draws) };
}

/** Plans an operation that happens in Stripe's dashboard or at a bank. */
export const atProvider = (asked: Plan['asked'], work: () => Omit<Outcome, 'type'>): Plan => ({
  asked,
  work: async () => atStripe(work),
});

interface Charged {
  id: string;
  intent: string;
  payment: string;
  left: number;
}

/** Chooses a successful charge, often a recent one. */
function chargeOf({ simulator }: World, draw: number): Charged | undefined {
  const paid = simulator.charges.all().filter((charge) => charge.paid);
  const charge = draw < 0.5 ? paid.slice(-20)[Math.floor(draw * 40)] : oneOf(paid, draw);
  if (!charge) return undefined;
  const { id, payment_intent: intent, amount, amount_refunded } = charge;
  const payment = simulator.intents.find(intent).metadata.payment_id ?? '';
  return { id, intent, payment, left: amount - amount_refunded };
}

/** Chooses a card's charge as `chargeOf` does: only cards have disputes, fraud warnings and reviews. */
export function cardChargeOf(world: World, draw: number): Charged | undefined {
  const charge = chargeOf(world, draw);
  return charge && !isByBank(world.simulator.intents.find(charge.intent)) ? charge : undefined;
}

/** Half of the refunds are of the whole remaining amount, and a few exceed it. */
function amountOf({ left }: Charged, draw: number): number {
  if (draw < 0.05) return left + 100;
  return draw < 0.5 ? Math.max(left, 1) : Math.max(1, Math.floor(left * (1 - draw)));
}

/** Chooses the outcome of the next refund at Stripe; most succeed immediately. */
function fateOf(draw: number): 'pending' | 'requires_action' | 'failed' | undefined {
  if (draw < 0.6) return undefined;
  return draw < 0.75 ? 'pending' : draw < 0.85 ? 'requires_action' : 'failed';
}

/** @returns the outcome, with the id of the request if it waits for approval and nothing has been refunded */
async function requestRefund(
  world: World,
  { paymentId, amount, key }: { paymentId: string; amount: number; key: string },
): Promise<{ outcome: Outcome; waitingId?: string }> {
  const request = { paymentId, amount, reason: 'requested_by_customer', note: 'Not needed', key } as const;
  const requested = await runUntilKnown(world, {
    name: 'refund',
    ...request,
    requestedBy: 'Ada Byrne',
    staff: null,
  });
  const outcome = refundOutcome(requested);
  const isWaiting = requested?.lines.some((line) => line.includes('waits for a member of finance'));
  if (!isWaiting || !outcome.refund) return { outcome };
  return { outcome: { type: outcome.type, code: 'waits for approval' }, waitingId: outcome.refund };
}

async function decideOnRefund(world: World, refundId: string, isApproved: boolean): Promise<Outcome> {
  const decided = await runUntilKnown(
    world,
    isApproved
      ? { name: 'approve at the desk', refundId }
      : { name: 'reject refund', refundId, reason: 'Not agreed with the client' },
  );
  const outcome = refundOutcome(decided);
  return outcome.type === 'ok' && !isApproved ? { ...outcome, type: 'fail', code: 'rejected' } : outcome;
}

/** Repeats a command whose outcome is unknown, as the documentation recommends. @returns null if it stays unknown */
export async function runUntilKnown({ firm }: World, command: FirmCommand): Promise<CommandResult | null> {
  const until = Date.now() + patience;
  for (;;) {
    const result = await firm.run(command);
    if (result && result.exitCode !== 2) return result;
    if (Date.now() > until) return result;
    await pause(300);
  }
}

function refundOutcome(result: CommandResult | null): Outcome {
  if (!result || result.exitCode === 2) return { type: 'info', code: result?.lines[0] ?? 'no answer' };
  const [line = ''] = result.lines;
  const [, id] = /^([0-9a-f-]{36}): /.exec(line) ?? [];
  const named = id ? { refund: id } : {};
  return result.exitCode === 0 ? { type: 'ok', ...named } : { type: 'fail', code: line, ...named };
}

async function changePrice(world: World, search: FirmSearch, net: number): Promise<Outcome> {
  const result = await runUntilKnown(world, { name: 'import', searches: [recordWithPrice(search, net)] });
  if (!result || result.exitCode === 2) return { type: 'info', code: result?.lines[0] ?? 'no answer' };
  // A rejected price belongs to a search with a payment.
  if (result.exitCode === 1) return { type: 'fail', code: 'rejected' };
  world.importedPrices.set(search.id, net);
  return { type: 'ok' };
}

/** @returns a search as the firm's case system sends it */
export const recordWithPrice = ({ record }: FirmSearch, net: number) => ({
  ...record,
  price: { net, vat_rate: 20 },
});
