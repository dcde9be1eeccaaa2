import type { StoredPaymentLine } from '../../schema/tables/payment-tables.ts';
import { allocatedLines } from '../records/allocated-lines.ts';
import { type MoneyParts, officeOfFailedRefund, officeOfRefund, partsOf } from '../records/money-parts.ts';
import type { LedgerKind } from './ledger-store.ts';

/** A movement of a payment, in the order in which they were made. */
export interface MovementToSplit {
  kind: LedgerKind;
  /** Pence before the fee; negative if the money left the balance. */
  amount: number;
  /** The lines of its payment; null if it belongs to no payment of this installation. */
  lines: readonly StoredPaymentLine[] | null;
  /** The provider's id of the refund; null for others, and if it was not stored. */
  refundId?: string | null;
  /** How much of the refund is the firm's money, in pence; null if no one chose. */
  refundOffice?: number | null;
  /** How much of the payment repays the firm from now on; only of an allocation. */
  allocated?: number;
}

/** What is left of a payment after the movements so far. */
interface PaymentState extends MoneyParts {
  /** How much of the whole payment repays the firm. */
  allocated: number;
  /** The firm's money in each refund, by its id. */
  refunds: ReadonlyMap<string, number>;
}

const nothing: PaymentState = { client: 0, office: 0, allocated: 0, refunds: new Map() };

/** What was left of the payment before a movement, and the client money in the movement, in pence. */
export interface SplitMovement {
  before: MoneyParts;
  /** How much of the whole payment repays the firm after the movement. */
  allocated: number;
  /** The client money in `amount`, with its sign; the rest is the firm's if the movement belongs to a payment in Keyturn. */
  clientMoney: number;
}

/**
 * Adds the client money in each movement, with its sign. A mixed payment is split at once (SRA Accounts Rules 4.2), its refunds as finance
 * chose.
 * @param movements all of them, oldest first
 */
export function splitMovements<Movement extends MovementToSplit>(
  movements: readonly Movement[],
  paymentOf: (movement: Movement) => string | null,
): (Movement & SplitMovement)[] {
  const states = new Map<string | null, PaymentState>();
  return movements.map((movement) => {
    const key = paymentOf(movement);
    const before = states.get(key) ?? nothing;
    const after = movement.lines ? stateAfter(before, movement, movement.lines) : before;
    states.set(key, after);
    const { client, office } = before;
    return {
      ...movement,
      before: { client, office },
      allocated: after.allocated,
      clientMoney: after.client - client,
    };
  });
}

function stateAfter(
  state: PaymentState,
  { kind, amount, refundId = null, refundOffice = null, allocated = state.allocated }: MovementToSplit,
  storedLines: readonly StoredPaymentLine[],
): PaymentState {
  const lines = allocatedLines(storedLines, { office: allocated });
  const add = (office: number, change: Partial<PaymentState> = {}): PaymentState => ({
    ...state,
    client: state.client + amount - office,
    office: state.office + office,
    ...change,
  });
  switch (kind) {
    case 'charge': {
      const received = state.client + state.office;
      return add(partsOf(lines, received + amount).office - partsOf(lines, received).office);
    }
    case 'refund': {
      const office = officeOfRefund(lines, state, { amount: -amount, chosen: refundOffice });
      const refunds = refundId === null ? state.refunds : new Map([...state.refunds, [refundId, office]]);
      return add(-office, { refunds });
    }
    case 'refund_failure': {
      const known = refundId === null ? undefined : state.refunds.get(refundId);
      return add(known ?? officeOfFailedRefund(lines, state, amount));
    }
    case 'allocation': {
      const refunded = state.allocated - state.office;
      const left = state.client + state.office;
      const office = Math.min(Math.max(0, allocated - refunded), left);
      return { ...state, allocated, office, client: left - office };
    }
    default:
      return state;
  }
}
