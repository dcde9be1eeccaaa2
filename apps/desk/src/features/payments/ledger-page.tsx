import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { StaffLedger } from '@keyturn/contract/staff';
import { countOf } from '@keyturn/format/count-of';
import { formatShortDay, formatShortMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import { callStaff } from '../../api/desk-api.ts';
import { purposeName } from '../../api/purpose-name.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead, Section } from '../../ui/base/page.tsx';
import { showFailure, showToast } from '../../ui/feedback/toast-store.ts';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { type Column, Table, type TableQuery } from '../../ui/table/table.tsx';
import styles from './payments.module.css';
import { PaymentsFrame } from './payments-frame.tsx';
import { accountName, PayoutsSection } from './payouts-section.tsx';

function stateInWords(ledger: StaffLedger | undefined): string {
  // As high as the text that takes its place.
  if (!ledger) return '\u00a0';
  const { fetched_at, movements } = ledger;
  return fetched_at
    ? `Based on the provider’s balance at ${formatShortMoment(fetched_at)}. ${countOf(movements, 'movement')}.`
    : 'The provider’s balance has not been fetched yet.';
}

/** The ledger of money paid online, for a day or a period. */
export default function LedgerPage() {
  const today = useToday();
  const [params, setParams] = useSearchParams();
  const period = { from: params.get('from') ?? `${today.slice(0, 7)}-01`, to: params.get('to') ?? today };
  const found = useQuery({
    queryKey: ['ledger', period],
    queryFn: ({ signal }) => callStaff('GET /staff/ledger', { query: period, signal }),
    placeholderData: (before) => before,
  });
  const exports = useQuery({
    queryKey: ['GET /staff/ledger-exports', null],
    queryFn: ({ signal }) => callStaff('GET /staff/ledger-exports', { signal }),
  });
  const names = exports.data?.value.map(({ name }) => name) ?? [];
  const profile = names.find((name) => name === params.get('profile')) ?? names[0];
  const { isBusy, run } = useAction(showFailure);
  const download = async () =>
    saveFile(
      await callStaff('GET /staff/ledger/csv', {
        query: { ...period, ...(profile ? { profile } : {}) },
        timeout: 60_000,
      }),
      `Online payments ${period.from} to ${period.to}.csv`,
    );
  const fetchNow = async () => {
    await callStaff('POST /staff/ledger/fetch', { timeout: 60_000 });
    await found.refetch();
    showToast('The balance is up to date.');
  };
  const setPeriod = (chosen: typeof period) =>
    setParams({ ...chosen, ...(profile ? { profile } : {}) }, { replace: true });
  const day = (name: 'from' | 'to', label: string) => (
    <TextField
      label={label}
      type="date"
      value={period[name]}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') setPeriod({ ...period, [name]: value });
      }}
    />
  );
  const ledger = found.data;
  return (
    <PaymentsFrame>
      <PageHead
        title="Ledger"
        actions={
          <>
            <Button disabled={isBusy} onClick={() => void run(fetchNow)}>
              Fetch the balance now
            </Button>
            <Button look="primary" disabled={isBusy} onClick={() => void run(download)}>
              Download CSV
            </Button>
          </>
        }
      >
        {stateInWords(ledger)}
      </PageHead>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the group with each of its fields. */}
      <div className={styles.filters} role="group" aria-label="Period">
        {day('from', 'First day')}
        {day('to', 'Last day')}
        <Button look="plain" onClick={() => setPeriod({ from: today, to: today })}>
          Today
        </Button>
      </div>
      {profile && (
        <div className={styles.filters}>
          <SelectField
            label="Format of the CSV file"
            value={profile}
            options={names.map((name) => ({ value: name, name }))}
            onChoose={(chosen) => setParams({ ...period, profile: chosen }, { replace: true })}
          />
          <Link to="/settings/ledger-exports">Change the formats</Link>
        </div>
      )}
      <LedgerTables found={found} />
    </PaymentsFrame>
  );
}

type LedgerQuery = Omit<TableQuery<unknown>, 'data'> & { data: StaffLedger | undefined };

function LedgerTables({ found }: { found: LedgerQuery }) {
  const { data: ledger } = found;
  const partOf = <Row,>(rows: readonly Row[] | undefined): TableQuery<Row> => ({ ...found, data: rows });
  return (
    <div className={styles.blocks}>
      {ledger && ledger.discrepancies.length > 0 && (
        <Alert
          tone="attention"
          title="Keyturn’s payments, the provider’s movements and its payouts don’t agree"
        >
          {ledger.discrepancies.map(({ kind, subject, found: text }) => (
            <p key={kind + subject}>
              {text} ({subject})
            </p>
          ))}
        </Alert>
      )}
      <Section title="Days">
        <Table
          label="Days"
          columns={dayColumns}
          query={partOf(ledger?.days)}
          keyOf={({ day }) => day}
          waitingRows={2}
          empty={<EmptyState title="No money moved in this period." />}
          isMain
        />
      </Section>
      <Section title="By account and purpose">
        <Table
          label="Totals by account and purpose"
          columns={purposeColumns}
          query={partOf(ledger?.purposes)}
          keyOf={({ account, purpose }) => account + purpose}
          waitingRows={2}
          empty={<EmptyState title="Nothing was received or refunded in this period." />}
        />
      </Section>
      <PayoutsSection query={partOf(ledger?.payouts)} onChanged={async () => found.refetch()} />
      <Section title="Received online by matter, at the end of the last day">
        <p>Received online, less refunds. This is not the client ledger balance.</p>
        <Table
          label="Received online by matter"
          columns={matterColumns}
          query={partOf(ledger?.matters)}
          keyOf={({ case_reference, matter_reference }) => `${case_reference} ${matter_reference}`}
          waitingRows={2}
          empty={<EmptyState title="No money was received online." />}
        />
      </Section>
      <Section title="Accounts, at the end of the last day">
        <Table
          label="Accounts"
          columns={accountColumns}
          query={partOf(ledger && accountRows.map(([name, key]) => ({ name, ...amountsOf(ledger, key) })))}
          keyOf={({ name }) => name}
          waitingRows={2}
          empty={null}
        />
      </Section>
    </div>
  );
}

type Day = StaffLedger['days'][number];
const money = <Row,>(heading: string, read: (row: Row) => number): Column<Row> => ({
  key: heading,
  heading,
  align: 'end',
  cell: (row) => formatMoney(read(row)),
  total: (rows) => formatMoney(rows.reduce((sum, row) => sum + read(row), 0)),
});

/** An amount that does not add up over the rows. */
const balance = <Row,>(heading: string, read: (row: Row) => number): Column<Row> => {
  const { total: _, ...column } = money(heading, read);
  return column;
};

const dayColumns: Column<Day>[] = [
  { key: 'day', heading: 'Day', isRowHeader: true, cell: ({ day }) => formatShortDay(day) },
  money('Received', ({ received }) => received),
  money('Refunded', ({ refunded }) => refunded),
  money('Disputed', ({ disputed }) => disputed),
  money('Fees', ({ fees }) => fees),
  money('Paid out', ({ paid_out }) => paid_out),
  money('Not from Keyturn', ({ not_ours }) => not_ours),
  balance('At the provider', (day) => day.balance),
];

const purposeColumns: Column<StaffLedger['purposes'][number]>[] = [
  { key: 'purpose', heading: 'For', isRowHeader: true, cell: ({ purpose }) => purposeName(purpose) },
  { key: 'account', heading: 'Account', cell: ({ account }) => accountName(account) },
  { key: 'payments', heading: 'Payments', align: 'end', cell: ({ payments }) => payments },
  money('Received', ({ received }) => received),
  money('Refunded', ({ refunded }) => refunded),
  money('Total', ({ received, refunded }) => received - refunded),
];

const matterColumns: Column<StaffLedger['matters'][number]>[] = [
  { key: 'case', heading: 'Case', isRowHeader: true, cell: ({ case_reference }) => case_reference },
  {
    key: 'matter',
    heading: 'Matter',
    cell: ({ matter_reference }) => matter_reference ?? 'The case as a whole',
  },
  money('Received online, less refunds', ({ client_money }) => client_money),
];

const accountRows: [name: string, key: keyof StaffLedger['balances']['client']][] = [
  ['At the provider', 'provider'],
  ['Paid out to the bank', 'bank'],
  ['Provider’s fees', 'card_costs'],
  ['Chargebacks, until they are settled', 'chargebacks'],
  ['Received for clients, less refunds', 'client_money'],
  ['Paid for bills, and repaid to the firm', 'business_money'],
  ['Not from payments in Keyturn', 'not_ours'],
];

// A server of the last release counts chargebacks with the fees.
const amountsOf = ({ balances }: StaffLedger, key: keyof StaffLedger['balances']['client']) => ({
  client: balances.client[key] ?? 0,
  business: balances.business[key] ?? 0,
});

/** Debits and credits of an account of the firm, which add up to the same. Zero is left empty. */
const sides = (account: string, read: (row: AccountRow) => number): Column<AccountRow>[] =>
  [
    { ...money<AccountRow>(`${account}, debit`, (row) => Math.max(read(row), 0)), sign: 1 },
    { ...money<AccountRow>(`${account}, credit`, (row) => Math.max(-read(row), 0)), sign: -1 },
  ].map(({ sign, ...column }) => ({
    ...column,
    cell: (row) => (read(row) * sign > 0 ? formatMoney(read(row) * sign) : ''),
  }));

interface AccountRow {
  name: string;
  client: number;
  business: number;
}

const accountColumns: Column<AccountRow>[] = [
  { key: 'name', heading: 'Account in the ledger', isRowHeader: true, cell: ({ name }) => name },
  ...sides('Client account', ({ client }) => client),
  ...sides('Business account', ({ business }) => business),
];
