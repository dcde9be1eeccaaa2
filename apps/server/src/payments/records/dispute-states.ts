import type { DisputeStatus } from '@keyturn/contract';
import type { ProviderDispute } from '../ports/disputes.ts';

type Stage = Pick<ProviderDispute, 'isInquiry' | 'status' | 'outcome'>;

/** The phase of a dispute as clients see it: the bank asks, disputes, or has decided. */
export type DisputePhase = 'inquiry' | 'open' | NonNullable<ProviderDispute['outcome']>;

export function phaseOf({ isInquiry, outcome }: Stage): DisputePhase {
  if (outcome !== null) return outcome;
  return isInquiry ? 'inquiry' : 'open';
}

/** The outcome of a phase: `won` means that the firm keeps the money, `lost` that the payer got it back. */
const statuses: Record<DisputePhase, DisputeStatus> = {
  inquiry: 'inquiry',
  open: 'open',
  won: 'won',
  inquiry_closed: 'won',
  lost: 'lost',
  prevented: 'lost',
};

export const disputeStatusOf = (dispute: Stage): DisputeStatus => statuses[phaseOf(dispute)];

/** Returns the dispute that a payment shows: the latest open one, else the latest inquiry, else the latest. */
export function deriveDispute<Dispute extends Stage & Pick<ProviderDispute, 'amount' | 'openedAt'>>(
  disputes: readonly Dispute[],
): { status: DisputeStatus; amount: number; openedAt: Date } | null {
  const candidates = disputes.map((dispute) => ({
    status: disputeStatusOf(dispute),
    amount: dispute.amount,
    openedAt: dispute.openedAt,
  }));
  const [shown = null] = candidates.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || b.openedAt.getTime() - a.openedAt.getTime() || b.amount - a.amount,
  );
  return shown;
}

const rankOf = ({ status }: { status: DisputeStatus }) =>
  status === 'open' ? 0 : status === 'inquiry' ? 1 : 2;

/**
 * Whether an answer of the provider is older than the stored state. A stored state from the future, caused by a wrong
 * clock, is replaced by any answer.
 */
export const isStale = ({ observedAt }: { observedAt: Date }, askedAt: Date, now: Date): boolean =>
  askedAt < observedAt && observedAt <= now;
