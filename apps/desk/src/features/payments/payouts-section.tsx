import type { PayoutFactName, StaffLedger } from '@keyturn/contract/staff';
import { formatShortDay } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { invalidForm } from '../../api/client/staff-error.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, Section } from '../../ui/base/page.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { type Column, Table, type TableQuery } from '../../ui/table/table.tsx';
import styles from './payments.module.css';

type Payout = StaffLedger['payouts'][number];

interface PayoutsProps {
  query: TableQuery<Payout>;
  onChanged: () => Promise<unknown>;
}

/** The payouts of a period: where each is, what finance found on the bank statement, and what it moved to the client account. */
export function PayoutsSection({ query, onChanged }: PayoutsProps) {
  const [open, setOpen] = useState<Recording | null>(null);
  return (
    <Section title="Payouts">
      <p>
        Clients read that their money is in the client account only once you have found the payout on the bank
        statement, and replaced what was taken from it.
      </p>
      <Table
        label="Payouts that reach the bank in this period"
        columns={payoutColumns(setOpen)}
        query={query}
        keyOf={({ payout_id }) => payout_id}
        waitingRows={2}
        empty={<EmptyState title="No payout reaches the bank in this period." />}
      />
      {open && <RecordDialog {...open} onChanged={onChanged} onClose={() => setOpen(null)} />}
    </Section>
  );
}

interface Recording {
  payout: Payout;
  fact: PayoutFactName;
}

const payoutStates: Record<Payout['status'], string> = {
  pending: 'Planned',
  in_transit: 'On its way to the bank',
  paid: 'Paid out',
  failed: 'Failed: the bank returned it',
  cancelled: 'Cancelled',
};

export const accountName = (account: 'client' | 'business') =>
  account === 'client' ? 'Client account' : 'Business account';

const payoutColumns = (onRecord: (recording: Recording) => void): Column<Payout>[] => [
  { key: 'day', heading: 'Arrives', isRowHeader: true, cell: ({ arrives_on }) => formatShortDay(arrives_on) },
  {
    key: 'account',
    heading: 'Account',
    cell: ({ account, payout_id }) => (
      <>
        {accountName(account)}
        <span className={styles.below}>{payout_id}</span>
      </>
    ),
  },
  { key: 'status', heading: 'State', cell: ({ status }) => payoutStates[status] },
  {
    key: 'amount',
    heading: 'Amount',
    align: 'end',
    cell: ({ amount }) => formatMoney(amount),
    total: (rows) => formatMoney(rows.reduce((sum, { amount }) => sum + amount, 0)),
  },
  {
    key: 'matched',
    heading: 'On the bank statement',
    cell: (payout) => (
      <RecordedDay
        fact={payout.matched}
        record={canBeMatched(payout) ? 'Record the day' : null}
        onOpen={() => onRecord({ payout, fact: 'matched' })}
      />
    ),
  },
  {
    key: 'transferred',
    heading: 'To move',
    cell: (payout) => <Transfer payout={payout} onOpen={() => onRecord({ payout, fact: 'transferred' })} />,
  },
];

/** The firm’s money can be taken from the client account only once it is there: before, it would be that of other clients. */
const whenToMove = ({ matched }: Payout): string =>
  matched
    ? 'Move it to the business account promptly.'
    : 'Move it to the business account once this payout is on the bank statement.';

function Transfer({ payout, onOpen }: { payout: Payout; onOpen: () => void }) {
  const { account, to_transfer: pence, transferred } = payout;
  // What is taken from the business account is the firm’s already.
  if (account === 'business' || pence === 0) return 'Nothing';
  if (pence === null || pence === undefined) return 'Not known yet';
  return (
    <>
      <div>
        {pence > 0
          ? formatMoney(pence)
          : `${formatMoney(-pence)} of this payout is the firm’s. ${whenToMove(payout)}`}
      </div>
      <RecordedDay fact={transferred} record="Record the transfer" onOpen={onOpen} />
    </>
  );
}

const canBeMatched = ({ status }: Payout): boolean => status !== 'pending' && status !== 'cancelled';

interface RecordedDayProps {
  fact: Payout['matched'];
  /** The label of the button that records the day; null if it cannot be recorded. */
  record: string | null;
  onOpen: () => void;
}

/** The recorded day with a button to change it, or the button to record it. */
function RecordedDay({ fact, record, onOpen }: RecordedDayProps) {
  if (!fact) return record && <Button onClick={onOpen}>{record}</Button>;
  return (
    <>
      <span className={styles.below}>
        {formatShortDay(fact.on)}, {fact.recorded_by}
      </span>
      <Button look="plain" onClick={onOpen}>
        Remove the day
      </Button>
    </>
  );
}

const differenceNames: Record<NonNullable<Payout['differences']>[number]['kind'], string> = {
  fee: 'fees',
  refund: 'refunded from other clients’ money',
  chargeback: 'chargebacks',
  reserve: 'kept back by the provider, or not from Keyturn',
  office: 'the firm’s money in this payout',
  moved: 'was moved before',
};

function RecordDialog({
  payout,
  fact,
  onChanged,
  onClose,
}: Recording & Omit<PayoutsProps, 'query'> & { onClose: () => void }) {
  const today = useToday();
  const recorded = payout[fact];
  const [on, setOn] = useState(() => earlierDay(payout.arrives_on, today));
  const texts = dialogTexts[fact];
  const record = async () => {
    if (!recorded && on === '') throw invalidForm({ on: 'Enter a day.' });
    await callStaff('POST /staff/ledger/payouts/{id}', {
      params: { id: payout.payout_id },
      body: { fact, on: recorded ? null : on, former: recorded?.on ?? null },
    });
    showToast(recorded ? 'The day was removed.' : texts.recorded);
    await onChanged();
  };
  return (
    <FormDialog
      open
      onClose={onClose}
      title={recorded ? texts.removal : texts.title}
      action={recorded ? 'Remove the day' : 'Record'}
      busyText={recorded ? 'Removing…' : 'Recording…'}
      onSubmit={record}
    >
      {(errors) => (
        <>
          <p>
            Payout of {formatMoney(payout.amount)} to the {accountName(payout.account).toLowerCase()},{' '}
            {payout.payout_id}
          </p>
          {fact === 'transferred' && <Differences payout={payout} />}
          {fact === 'matched' && payout.status === 'failed' && (
            <p>The bank returned this payout. Record the day on which its money arrived with a later one.</p>
          )}
          {recorded ? (
            payout.account === 'client' && (
              <p>Clients then no longer read that their money is in the client account.</p>
            )
          ) : (
            <TextField
              label={texts.day}
              type="date"
              max={today}
              value={on}
              onChange={({ currentTarget: { value } }) => setOn(value)}
              error={errors.on}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

const earlierDay = (...days: [string, string]): string => [...days].sort()[0] ?? days[0];

const dialogTexts: Record<PayoutFactName, Record<'title' | 'removal' | 'day' | 'recorded', string>> = {
  matched: {
    title: 'Record the payout on the bank statement',
    removal: 'Remove the day of the bank statement',
    day: 'Day of the bank statement',
    recorded: 'The payout is matched.',
  },
  transferred: {
    title: 'Record the transfer',
    removal: 'Remove the day of the transfer',
    day: 'Day of the transfer',
    recorded: 'The transfer is recorded.',
  },
};

/** Why a payout lacks some of the clients’ money in it, or contains some of the firm’s, by matter. */
function Differences({ payout }: { payout: Payout }) {
  const { differences = [], to_transfer } = payout;
  return (
    <>
      <p>
        {to_transfer !== null && to_transfer !== undefined && to_transfer < 0
          ? `${formatMoney(-to_transfer)} of this payout is the firm’s. ${whenToMove(payout)}`
          : `${formatMoney(to_transfer ?? 0)} of clients’ money is missing from this payout. Move it from the business account, matter by matter, no later than the day on which the payout arrives:`}
      </p>
      <ul>
        {differences.map(({ kind, case_reference, matter_reference, amount }) => (
          <li key={`${kind} ${case_reference} ${matter_reference}`}>
            {matter_reference ?? case_reference ?? 'No matter'}: {formatMoney(amount)},{' '}
            {differenceNames[kind]}
          </li>
        ))}
      </ul>
      {differences.some(({ kind, amount }) => kind === 'refund' && amount > 0) && (
        <p>
          If refunded client money is in the client account already, it is the firm’s once you have made the
          transfer: move it to the business account in the same entry.
        </p>
      )}
    </>
  );
}
