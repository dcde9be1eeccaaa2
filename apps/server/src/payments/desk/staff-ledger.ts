import type { StaffLedger } from '@keyturn/contract/staff';
import { asc, between } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { providersByName } from '../../platform/provider-names.ts';
import { payouts } from '../../schema/tables/account-tables.ts';
import { findBalanceFetches } from '../accounts/balance-store.ts';
import { readLedgerReport } from '../accounts/ledger-report.ts';
import type { Ledger, LedgerEntry, LedgerPeriod } from '../accounts/read-ledger.ts';

/** @throws DomainError `invalid_input` for a period that ends before it starts */
export function checkPeriod({ from, to }: LedgerPeriod): void {
  if (from > to) {
    throw new DomainError('invalid_input', {
      errors: { to: ['The last day must not be before the first.'] },
    });
  }
}

/**
 * Reads the ledger of a period from what was fetched from the provider.
 * @throws DomainError `invalid_input`
 */
export async function readStaffLedger(
  dependencies: { database: Database; clock: Clock },
  period: LedgerPeriod,
): Promise<StaffLedger> {
  checkPeriod(period);
  const { ledger, discrepancies } = await readLedgerReport(dependencies, period);
  const fetches = [...(await findBalanceFetches(dependencies.database)).values()];
  const { from, to, days, matters, balances, entries } = ledger;
  return {
    from,
    to,
    // The ledger is only as complete as the account that was fetched the longest ago.
    fetched_at: fetches.length === 0 ? null : earliestOf(fetches).toISOString(),
    days: days.map(({ paidOut, notOurs, ...day }) => ({ ...day, paid_out: paidOut, not_ours: notOurs })),
    purposes: sumByPurpose(entries),
    payouts: await readPayouts(dependencies.database, ledger),
    matters: matters.map(({ caseReference, matterReference, clientMoney }) => ({
      case_reference: caseReference,
      matter_reference: matterReference,
      client_money: clientMoney,
    })),
    balances,
    movements: entries.length,
    discrepancies: discrepancies.map(({ kind, subject, found }) => ({ kind, subject, found })),
  };
}

const earliestOf = (dates: Date[]): Date => new Date(Math.min(...dates.map((date) => date.getTime())));

/** Adds up charges, refunds and refunds that failed, by account and purpose. */
function sumByPurpose(entries: readonly LedgerEntry[]): StaffLedger['purposes'] {
  const sums = new Map<string, StaffLedger['purposes'][number]>();
  for (const { account, purpose, kind, amount } of entries) {
    const isCharge = kind === 'charge';
    if (purpose === null || !(isCharge || kind === 'refund' || kind === 'refund_failure')) continue;
    const key = `${account} ${purpose}`;
    const sum = sums.get(key) ?? { account, purpose, received: 0, refunded: 0, payments: 0 };
    sums.set(key, sum);
    if (isCharge) {
      sum.received += amount;
      sum.payments += 1;
    } else sum.refunded -= amount;
  }
  return [...sums.values()].sort((a, b) =>
    a.account === b.account ? a.purpose.localeCompare(b.purpose) : b.account.localeCompare(a.account),
  );
}

async function readPayouts(
  database: Database,
  { from, to, payouts: differences }: Ledger,
): Promise<StaffLedger['payouts']> {
  const rows = await database
    .select()
    .from(payouts)
    .where(between(payouts.arrivesOn, from, to))
    .orderBy(asc(payouts.arrivesOn), asc(payouts.payoutId));
  return rows.map((row) => {
    const { provider, payoutId, status, arrivesOn, amount, toTransfer } = row;
    return {
      account: providersByName[provider].account,
      payout_id: payoutId,
      status,
      arrives_on: arrivesOn,
      amount,
      matched: toFact(row.matchedOn, row.matchedBy),
      transferred: toFact(row.transferredOn, row.transferredBy),
      to_transfer: toTransfer,
      differences: [
        ...(differences.get(payoutId) ?? []).map(({ caseReference, matterReference, ...difference }) => ({
          ...difference,
          case_reference: caseReference,
          matter_reference: matterReference,
        })),
        ...(row.moved === 0
          ? []
          : [{ kind: 'moved' as const, case_reference: null, matter_reference: null, amount: -row.moved }]),
      ],
    };
  });
}

const toFact = (on: string | null, by: string | null) =>
  on === null || by === null ? null : { on, recorded_by: by };
