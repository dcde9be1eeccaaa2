import { addDays, londonDay } from '@keyturn/format/london-time';
import type { Connection, Transaction } from '../../platform/database.ts';
import { type MoneyAccount, providersByName } from '../../platform/provider-names.ts';
import { lockPayoutsToExplain, storeTransfer } from './balance-store.ts';
import { type LedgerAccount, ledgerAccounts, postingsOf } from './ledger-postings.ts';
import { type AllocationRow, findAllocations, findMovements, type MovementRow } from './ledger-store.ts';
import { explainPayout, type PayoutDifference, sumOfDifferences } from './payout-money.ts';
import { type SplitMovement, splitMovements } from './split-movements.ts';

/** A period of days in London, both included. */
export interface LedgerPeriod {
  from: string;
  to: string;
}

/** The ledger of all money paid online, by card or by bank. Amounts are pence. */
export interface Ledger extends LedgerPeriod {
  /** The movements of the period, oldest first. */
  entries: LedgerEntry[];
  /** One line for each day of the period on which money moved. */
  days: LedgerDay[];
  /** The client money of each matter at the end of the period, unless it is zero. */
  matters: MatterBalance[];
  /**
   * The balances at the end of the period, for each of the firm's two accounts. Those of one account add up to zero.
   */
  balances: Record<MoneyAccount, Record<LedgerAccount, number>>;
  /** Why the payouts to the client account differ from the clients’ money in them, by the id of the payout. */
  payouts: Map<string, PayoutDifference[]>;
}

export interface LedgerEntry extends MovementRow, SplitMovement {
  day: string;
  /** The firm's account in which the money moved. */
  account: MoneyAccount;
}

export interface LedgerDay {
  day: string;
  received: number;
  refunded: number;
  disputed: number;
  fees: number;
  paidOut: number;
  /** Money that belongs to no Keyturn payment. */
  notOurs: number;
  /** The provider's balance at the end of the day. */
  balance: number;
}

export interface MatterBalance {
  caseReference: string;
  /** Null for payments that belong to the case as a whole. */
  matterReference: string | null;
  /** The client money that the firm holds for the matter. */
  clientMoney: number;
}

/** Reads the ledger from the movements that have been fetched from the providers. */
export async function readLedger(connection: Connection, { from, to }: LedgerPeriod): Promise<Ledger> {
  // A day in London ends at most an hour before the day in UTC; later movements are removed below.
  const movements = await findMovements(connection, new Date(`${addDays(to, 1)}T00:00:00Z`));
  const all = toEntries(movements, await findAllocations(connection));
  const entries = all.filter(({ day }) => day <= to);
  const balances: Ledger['balances'] = { client: emptyBalances(), business: emptyBalances() };
  const days = new Map<string, LedgerDay>();
  const matters = new Map<string, MatterBalance>();
  for (const entry of entries) {
    for (const { account, amount } of postingsOf(entry)) {
      balances[entry.account][account] += amount;
      if (account === 'client_money') addToMatter(matters, entry, -amount);
    }
    if (entry.day >= from && entry.kind !== 'allocation')
      addToDay(days, entry, balances.client.provider + balances.business.provider);
  }
  return {
    from,
    to,
    entries: entries.filter(({ day }) => day >= from),
    days: [...days.values()],
    matters: [...matters.values()].filter(({ clientMoney }) => clientMoney !== 0),
    balances,
    // A later decision about whose money a payment is changes what to move, too.
    payouts: explainPayouts(all),
  };
}

/** Reads the latest movements up to a day, oldest first. */
export async function readLatestEntries(
  connection: Connection,
  to: string,
  count: number,
): Promise<LedgerEntry[]> {
  const { entries } = await readLedger(connection, { from: '0001-01-01', to });
  return entries.slice(-count);
}

/** Explains the payouts to the client account, by their ids. What is taken from the business account is the firm’s already. */
function explainPayouts(entries: readonly LedgerEntry[]): Map<string, PayoutDifference[]> {
  const ofPayout = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    if (entry.payoutId === null || entry.account !== 'client') continue;
    const others = ofPayout.get(entry.payoutId) ?? [];
    others.push(entry);
    ofPayout.set(entry.payoutId, others);
  }
  return new Map([...ofPayout].map(([id, contained]) => [id, explainPayout(contained)]));
}

/** Stores what to move for the payouts whose contents became known. */
export async function storeTransfers(transaction: Transaction, today: string): Promise<void> {
  const rows = await lockPayoutsToExplain(transaction);
  if (rows.length === 0) return;
  const { payouts } = await readLedger(transaction, { from: today, to: today });
  for (const row of rows)
    await storeTransfer(transaction, row, sumOfDifferences(payouts.get(row.payoutId) ?? []));
}

const emptyBalances = () =>
  Object.fromEntries(ledgerAccounts.map((account) => [account, 0])) as Record<LedgerAccount, number>;

/** @param movements all of them, oldest first, as are the allocations */
function toEntries(movements: readonly MovementRow[], allocations: readonly AllocationRow[]): LedgerEntry[] {
  const rows: (MovementRow & { allocated?: number })[] = [
    ...movements,
    ...allocationRows(movements, allocations),
  ].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  return splitMovements(rows, ({ paymentId }) => paymentId)
    .map((row) => ({
      ...row,
      account: providersByName[row.provider].account,
      day: londonDay(row.createdAt),
    }))
    .filter(({ kind, clientMoney }) => kind !== 'allocation' || clientMoney !== 0);
}

/** Returns a row for each decision about the money of a payment that the provider has charged. It is in the payout of that charge. */
function allocationRows(
  movements: readonly MovementRow[],
  allocations: readonly AllocationRow[],
): (MovementRow & { allocated: number })[] {
  const charges = new Map(
    movements.filter(({ kind }) => kind === 'charge').map((row) => [row.paymentId, row]),
  );
  return allocations.flatMap(({ id, paymentId, office, decidedAt }) => {
    const charge = charges.get(paymentId);
    if (!charge) return [];
    const createdAt = new Date(Math.max(decidedAt.getTime(), charge.createdAt.getTime()));
    const row = { ...charge, kind: 'allocation' as const, amount: 0, fee: 0, createdAt };
    return [{ ...row, transactionId: `allocation-${id}`, allocated: office }];
  });
}

function addToMatter(matters: Map<string, MatterBalance>, entry: LedgerEntry, amount: number): void {
  const { caseReference, matterReference } = entry;
  if (caseReference === null) return;
  const key = JSON.stringify([caseReference, matterReference]);
  const matter = matters.get(key) ?? { caseReference, matterReference, clientMoney: 0 };
  matters.set(key, { ...matter, clientMoney: matter.clientMoney + amount });
}

function addToDay(days: Map<string, LedgerDay>, entry: LedgerEntry, balance: number): void {
  const { day, kind, amount, fee } = entry;
  const total = days.get(day) ?? {
    day,
    received: 0,
    refunded: 0,
    disputed: 0,
    fees: 0,
    paidOut: 0,
    notOurs: 0,
    balance: 0,
  };
  days.set(day, total);
  total.balance = balance;
  total.fees += kind === 'fee' ? fee - amount : fee;
  if (kind === 'fee') return;
  if (kind === 'payout' || kind === 'payout_failure') total.paidOut -= amount;
  else if (entry.lines === null) total.notOurs += amount;
  else if (kind === 'charge') total.received += amount;
  else if (kind === 'refund' || kind === 'refund_failure') total.refunded -= amount;
  else total.disputed -= amount;
}
