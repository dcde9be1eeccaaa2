import { paymentPurposes } from '@keyturn/contract';
import type { StaffCallQuery, StaffPayment } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { formatMoney } from '@keyturn/format/money';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { callStaff } from '../../../api/desk-api.ts';
import { purposeName } from '../../../api/purpose-name.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../../ui/base/page.tsx';
import { SearchField, SelectField, TextField } from '../../../ui/forms/fields.tsx';
import { Toolbar } from '../../../ui/forms/toolbar.tsx';
import { ShowMore } from '../../../ui/table/show-more.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import { parsePounds, stateOf } from '../payment-text.ts';
import styles from '../payments.module.css';
import { PaymentsFrame } from '../payments-frame.tsx';
import { LinkDialog } from './link-dialog.tsx';

type Filter = NonNullable<StaffCallQuery<'GET /staff/payments'>>;

/** All payments, with a search and filters that the address keeps. */
export default function PaymentsPage() {
  const [, navigate] = useLocation();
  const { filter, value, choose } = useFilter();
  const sent = useDeferredValue(filter);
  const [isSending, setSending] = useState(false);
  const found = useInfiniteQuery({
    queryKey: ['payments', sent],
    meta: { follows: 'cases' },
    queryFn: ({ signal, pageParam }) =>
      callStaff('GET /staff/payments', {
        query: { ...sent, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
  return (
    <PaymentsFrame>
      <PageHead
        title="Payments"
        actions={<Button onClick={() => setSending(true)}>Send a payment request</Button>}
      >
        Everything that clients have paid or started to pay online.
      </PageHead>
      <Toolbar label="Search payments">
        <SearchField
          label="Search payments"
          placeholder="Case, receipt, client or id"
          value={value('search')}
          onSearch={(text) => choose({ search: text })}
        />
      </Toolbar>
      <Filters value={value} choose={choose} />
      <Table
        label="Payments"
        columns={useColumns()}
        query={{ ...found, data: found.data?.pages.flatMap(({ payments }) => payments) }}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate(`/payments/${id}`)}
        empty={
          <EmptyState title="No payments found.">
            {Object.keys(filter).length > 0 && ' Change the search or the filters.'}
          </EmptyState>
        }
        isMain
        announcesChanges
      />
      <ShowMore query={found} />
      {isSending && <LinkDialog onClose={() => setSending(false)} />}
    </PaymentsFrame>
  );
}

type Choose = (change: Record<string, string>) => void;

/** Reads the filter from the address, in which amounts are in pounds. */
function useFilter() {
  const [params, setParams] = useSearchParams();
  const value = (name: string) => params.get(name) ?? '';
  const choose: Choose = (change) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, text] of Object.entries(change)) {
          if (text === '') next.delete(name);
          else next.set(name, text);
        }
        return next;
      },
      { replace: true },
    );
  const amounts = {
    min_amount: parsePounds(value('from_amount')),
    max_amount: parsePounds(value('to_amount')),
  };
  const words = ['state', 'purpose', 'method', 'account', 'from', 'to', 'case', 'payer', 'search'];
  const filter = Object.fromEntries(
    [...words.map((name) => [name, value(name)] as const), ...Object.entries(amounts)].filter(
      ([, text]) => text !== '' && text !== null,
    ),
  ) as Filter;
  return { filter, value, choose };
}

const states = [
  ['', 'Any'],
  ['open', 'Not paid yet'],
  ['succeeded', 'Paid'],
  ['refund_awaiting_approval', 'Refund to approve'],
  ['partially_refunded', 'Partly refunded'],
  ['refunded', 'Refunded'],
  ['refund_failed', 'Refund failed'],
  ['under_review', 'Under review'],
  ['disputed', 'Disputed'],
  ['cancelled', 'Cancelled or expired'],
] as const;

const named = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([value, name]) => ({ value, name }));

function Filters({ value, choose }: { value: (name: string) => string; choose: Choose }) {
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <SelectField
      label={label}
      value={value(name)}
      options={named(options)}
      onChoose={(chosen) => choose({ [name]: chosen })}
    />
  );
  const field = (name: string, label: string, type: 'date' | 'text') => (
    <TextField
      label={label}
      type={type}
      autoComplete="off"
      {...(type === 'text' ? { inputMode: 'decimal' as const, size: 8 } : {})}
      value={value(name)}
      onChange={({ currentTarget }) => choose({ [name]: currentTarget.value })}
    />
  );
  const limits = [value('case') && 'one case', value('payer') && 'one client'].filter(Boolean);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the group with each of its fields.
    <div className={styles.filters} role="group" aria-label="Filters">
      {select('state', 'State', states)}
      {select('purpose', 'For', [
        ['', 'Anything'],
        ...paymentPurposes.map((purpose) => [purpose, purposeName(purpose)] as const),
      ])}
      {select('method', 'Paid by', [
        ['', 'Any method'],
        ['card', 'Card'],
        ['bank', 'Bank'],
      ])}
      {select('account', 'Account', [
        ['', 'Both'],
        ['client', 'Client account'],
        ['business', 'Business account'],
      ])}
      {field('from', 'From', 'date')}
      {field('to', 'To', 'date')}
      {field('from_amount', 'From £', 'text')}
      {field('to_amount', 'To £', 'text')}
      {limits.length > 0 && (
        <Button look="plain" onClick={() => choose({ case: '', payer: '' })}>
          Only {limits.join(' and ')}: show all
        </Button>
      )}
    </div>
  );
}

function useColumns(): Column<StaffPayment>[] {
  const today = useToday();
  return [
    {
      key: 'description',
      heading: 'Payment',
      isRowHeader: true,
      cell: ({ id, description, receipt_number }) => (
        <>
          <Link to={`/payments/${id}`}>{description}</Link>
          <span className={styles.below}>{receipt_number ?? 'No receipt'}</span>
        </>
      ),
    },
    { key: 'amount', heading: 'Amount', align: 'end', cell: ({ amount }) => formatMoney(amount) },
    {
      key: 'state',
      heading: 'State',
      cell: (payment) => {
        const { tone, text } = stateOf(payment);
        return <StatusTag tone={tone}>{text}</StatusTag>;
      },
    },
    { key: 'case', heading: 'Case', cell: ({ case: ofCase }) => ofCase.reference },
    { key: 'payer', heading: 'Client', cell: ({ payer }) => payer.name },
    {
      key: 'method',
      heading: 'Paid by',
      cell: ({ method, account, provider }) =>
        `${method === 'bank' ? 'Bank' : 'Card'}${account === 'business' ? ', business account' : ''}${provider === 'sandbox' ? ' (sandbox)' : ''}`,
    },
    { key: 'started', heading: 'Started', cell: ({ created_at }) => formatEntryMoment(created_at, today) },
  ];
}
