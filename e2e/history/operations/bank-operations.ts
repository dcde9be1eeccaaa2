import type Stripe from 'stripe';
import { type Actor, type ActorOptions, createRunner } from './client-operations.ts';
import { atProvider, cardChargeOf } from './firm-operations.ts';
import { oneOf } from './outcome.ts';

/** Creates the payers' banks, which dispute payments, decide disputes, warn of fraud, and return refunds. */
export function createBankActor(options: ActorOptions): Actor {
  const { world } = options;
  const { simulator } = world;
  const refundsIn = (...statuses: string[]) =>
    simulator.refunds.all().filter(({ status }) => statuses.includes(status ?? ''));
  const run = createRunner(options, null, {
    'settle a refund': ([which = 0, fate = 0]) => {
      const refund = oneOf(refundsIn('pending', 'requires_action'), which);
      if (!refund) return;
      return atProvider({ refund: refund.id }, () => {
        if (fate < 0.2 && refund.status === 'requires_action') simulator.refunds.cancel(refund.id);
        else if (fate < 0.4) simulator.refunds.fail(refund.id);
        else simulator.refunds.succeed(refund.id);
        return {};
      });
    },
    'return a refund': ([which = 0]) => {
      const refund = oneOf(refundsIn('succeeded'), which);
      if (!refund) return;
      return atProvider({ refund: refund.id }, () => {
        simulator.refunds.fail(refund.id);
        return {};
      });
    },
    'open a dispute': ([which = 0, share = 0, inquiry = 0]) => {
      const charge = cardChargeOf(world, which);
      if (!charge || simulator.charges.find(charge.id).disputed || charge.left === 0) return;
      const amount = share < 0.7 ? charge.left : Math.max(1, Math.floor(charge.left * share));
      const isInquiry = inquiry < 0.4;
      return atProvider({ payment: charge.payment, amount, isInquiry }, () => ({
        code: simulator.disputes.open(charge.id, { amount, isInquiry }).id,
      }));
    },
    'move a dispute': ([which = 0, to = 0]) => {
      const open = simulator.disputes.all().filter(({ status }) => nextStatuses[status]);
      const dispute = oneOf(open, which);
      const status = dispute && oneOf(nextStatuses[dispute.status] ?? [], to);
      if (!status) return;
      return atProvider({ dispute: dispute.id, status }, () => {
        simulator.disputes.move(dispute.id, status);
        return {};
      });
    },
    'warn of fraud': ([which = 0]) => {
      const charge = cardChargeOf(world, which);
      return (
        charge &&
        atProvider({ payment: charge.payment }, () => ({
          code: simulator.earlyFraudWarnings.warn(charge.id).id,
        }))
      );
    },
  });
  return { perform: ({ kind, draws }) => run(kind, draws) };
}

/** The statuses that can follow each status of a dispute. */
const nextStatuses: Partial<Record<Stripe.Dispute.Status, Stripe.Dispute.Status[]>> = {
  needs_response: ['under_review', 'under_review', 'won', 'lost'],
  under_review: ['won', 'lost'],
  warning_needs_response: ['warning_under_review', 'warning_closed', 'needs_response'],
  warning_under_review: ['warning_closed', 'needs_response'],
};
