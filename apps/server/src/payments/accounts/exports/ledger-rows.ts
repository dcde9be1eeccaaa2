import type { VatCode } from '@keyturn/contract';
import type { ExportRows, MovementKind } from '@keyturn/contract/staff';
import { linesOf } from '../../../case-file/bills/bill-lines.ts';
import type { StoredPaymentLine } from '../../../schema/tables/payment-tables.ts';
import { allocateParts } from '../../bills/allocate.ts';
import { allocatedLines } from '../../records/allocated-lines.ts';
import { linesOfBill, type MoneyParts } from '../../records/money-parts.ts';
import type { MovementRow } from '../ledger-store.ts';
import type { LedgerEntry } from '../read-ledger.ts';

/** A row of an export: a movement, or a part of one. */
export interface LedgerRow extends LedgerEntry {
  /** Empty for fees, payouts and money that is not from Keyturn in a row of a whole movement. */
  money: 'client' | 'business' | '';
  /** The VAT in `amount`, in pence. Money that pays no bill has none. */
  vat: number;
  vatCode: VatCode | null;
  /** What the row pays; null for a row that is not for one line. */
  line: string | null;
}

/**
 * Returns the rows of a movement. The firm bears the fee, and a chargeback until it is settled.
 *
 * - `movements`: one row, or two for a movement with both client money and the firm’s. The fee is in the row of the firm’s money.
 * - `lines`: one for each line of the payment, and one for the fee.
 *
 * The amounts less the fees are those of the movement.
 */
export function rowsOf(entry: LedgerEntry, rows: ExportRows): LedgerRow[] {
  const parts = partsOf(entry);
  if (rows === 'lines') return [...parts, ...feeRow(entry)];
  if (entry.lines === null) return [{ ...entry, ...withoutVat, money: '' }];
  const merged = (['client', 'business'] as const).flatMap((money) =>
    merge(parts.filter((part) => part.money === money)),
  );
  return merged.map((row, index) => ({ ...row, fee: index === merged.length - 1 ? entry.fee : 0 }));
}

const withoutVat = { vat: 0, vatCode: null, line: null } as const;

function partsOf(entry: LedgerEntry): LedgerRow[] {
  const { kind, amount, before, bill, clientMoney } = entry;
  const lines = entry.lines && allocatedLines(entry.lines, { office: entry.allocated });
  const whole = (money: LedgerRow['money']) => [{ ...entry, ...withoutVat, money, fee: 0 }];
  if (lines === null) return whole(kind === 'fee' ? 'business' : '');
  if (kind === 'dispute' || kind === 'dispute_reversal') return whole('business');
  const own = amount - clientMoney;
  if (kind === 'allocation') {
    return [
      ...whole('client').map((row) => ({ ...row, amount: clientMoney })),
      ...whole('business').map((row) => ({ ...row, amount: own })),
    ].filter((row) => row.amount !== 0);
  }
  const from = sharesIn(lines, before);
  const to = sharesIn(lines, { client: before.client + clientMoney, office: before.office + own });
  const parts = lines.map((line, index): LedgerRow => {
    const [was = noShare, is = noShare] = [from[index], to[index]];
    // What repays the firm for a search pays no bill.
    const ofBill = entry.allocated === 0 && linesOfBill([line]).length > 0;
    return {
      ...entry,
      money: line.client_money ? 'client' : 'business',
      amount: is.gross - was.gross,
      // Money on account of costs is no payment for a supply. The bill has its VAT.
      vat: ofBill ? is.vat - was.vat : 0,
      vatCode: ofBill ? vatCodeOf(bill, line) : null,
      line: line.text,
      fee: 0,
    };
  });
  const rest = amount - parts.reduce((sum, part) => sum + part.amount, 0);
  const surplus = whole(lines.some(({ client_money }) => client_money) ? 'client' : 'business').map(
    (row) => ({
      ...row,
      amount: rest,
    }),
  );
  const found = [...parts, ...surplus].filter((part) => part.amount !== 0);
  return found.length > 0 ? found : whole('client');
}

const noShare = { gross: 0, vat: 0 };

/** Splits what is left of a payment among its lines: those of the bill first, then what was paid above it. */
function sharesIn(lines: readonly StoredPaymentLine[], left: MoneyParts): (typeof noShare)[] {
  const shares = lines.map(() => noShare);
  const ofBill = new Set(linesOfBill(lines));
  let { client, office } = left;
  for (const isOfBill of [true, false]) {
    const places = [...lines.keys()].filter(
      (place) => ofBill.has(lines[place] as StoredPaymentLine) === isOfBill,
    );
    const parts = places.map((place) => {
      const { gross, vat, client_money } = lines[place] as StoredPaymentLine;
      return { gross, vat, isClientMoney: client_money };
    });
    const sum = (isClients: boolean) =>
      parts.reduce((total, { gross, isClientMoney }) => total + (isClientMoney === isClients ? gross : 0), 0);
    const share = { client: Math.min(client, sum(true)), office: Math.min(office, sum(false)) };
    for (const [index, part] of allocateParts(share, parts).entries()) shares[places[index] as number] = part;
    client -= share.client;
    office -= share.office;
  }
  return shares;
}

/** Servers of 0.2 named no line of the bill, which then had one. */
const vatCodeOf = (bill: MovementRow['bill'], { bill_line = 0 }: StoredPaymentLine): VatCode | null =>
  (bill && linesOf(bill)[bill_line]?.vat_code) ?? null;

function merge(parts: readonly LedgerRow[]): LedgerRow[] {
  const [first, ...others] = parts;
  if (!first) return [];
  const sum = (amountOf: (row: LedgerRow) => number) =>
    parts.reduce((total, row) => total + amountOf(row), 0);
  return [
    {
      ...first,
      amount: sum(({ amount }) => amount),
      vat: sum(({ vat }) => vat),
      vatCode: others.every(({ vatCode }) => vatCode === first.vatCode) ? first.vatCode : null,
      line: null,
    },
  ];
}

const feeRow = (entry: LedgerEntry): LedgerRow[] =>
  entry.fee === 0
    ? []
    : [
        {
          ...entry,
          ...withoutVat,
          kind: 'fee' satisfies MovementKind,
          money: 'business',
          amount: -entry.fee,
          fee: 0,
        },
      ];
