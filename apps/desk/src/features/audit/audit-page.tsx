import { useAction } from '@keyturn/browser/action/use-action.ts';
import type { AuditEntry, StaffCallQuery } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { saveFile } from '@keyturn/ui/files/save-file.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ChangeEvent, useDeferredValue, useState } from 'react';
import { useSearchParams } from 'wouter';
import { describeAction, describeValues } from '../../api/audit-text.ts';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { EmptyState, PageHead } from '../../ui/base/page.tsx';
import { showFailure } from '../../ui/feedback/toast-store.ts';
import { SelectField, TextField } from '../../ui/forms/fields.tsx';
import { ShowMore } from '../../ui/table/show-more.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import styles from './audit.module.css';
import { type Verification, VerifyDialog } from './verify-dialog.tsx';

type Filter = Omit<NonNullable<StaffCallQuery<'GET /staff/audit'>>, 'limit' | 'before'>;

/** The audit log, for admins. */
export default function AuditPage() {
  const { filter, choose } = useFilter();
  const asked = trimmed(filter);
  const [verification, setVerification] = useState<Verification | null>(null);
  const [isVerifying, setVerifying] = useState(false);
  const found = useEntries(useDeferredValue(asked));
  return (
    <>
      <PageHead
        title="Audit log"
        actions={
          <>
            <Button onClick={() => setVerifying(true)}>Verify</Button>
            <ExportButton filter={asked} format="csv" />
            <ExportButton filter={asked} format="jsonl" />
          </>
        }
      >
        See who did what, when and from where, including API keys. Entries never change.
      </PageHead>
      {verification && <VerificationResult verification={verification} />}
      <Filters filter={filter} choose={choose} actions={found.data?.pages[0]?.actions ?? []} />
      <Table
        label="Entries of the audit log"
        columns={columns}
        query={{ ...found, data: found.data?.pages.flatMap(({ entries }) => entries) }}
        keyOf={({ id }) => id}
        empty={<EmptyState title="No entries found." />}
        isMain
        announcesChanges
      />
      <ShowMore query={found} />
      {isVerifying && <VerifyDialog onClose={() => setVerifying(false)} onVerified={setVerification} />}
    </>
  );
}

type Choose = (name: keyof Filter, text: string) => void;

/** The filter in the page’s address, and a function that changes a part of it. */
function useFilter(): { filter: Filter; choose: Choose } {
  const [params, setParams] = useSearchParams();
  const choose: Choose = (name, text) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (text === '') next.delete(name);
        else next.set(name, text);
        return next;
      },
      { replace: true },
    );
  const filter = Object.fromEntries(
    filterNames.map((name) => [name, params.get(name) ?? '']).filter(([, text]) => text !== ''),
  ) as Filter;
  return { filter, choose };
}

const filterNames = ['actor', 'action', 'subject', 'from', 'to'] as const satisfies (keyof Filter)[];

/** The parts of a filter with content, without spaces around them. */
const trimmed = (filter: Filter): Filter =>
  Object.fromEntries(
    Object.entries(filter)
      .map(([name, text]) => [name, String(text).trim()])
      .filter(([, text]) => text !== ''),
  );

/** The pages of entries that were requested so far. */
function useEntries(filter: Filter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      callStaff('GET /staff/audit', {
        query: { ...filter, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
    placeholderData: (before) => before,
  });
}

function Filters({
  filter,
  choose,
  actions,
}: {
  filter: Filter;
  choose: Choose;
  actions: readonly string[];
}) {
  const field = (name: keyof Filter) => ({
    value: filter[name] ?? '',
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => choose(name, currentTarget.value),
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce the group with each of its fields.
    <div className={styles.filters} role="group" aria-label="Filters">
      <TextField label="Who (name or id)" maxLength={300} {...field('actor')} />
      <SelectField
        label="What"
        value={filter.action ?? ''}
        options={[
          { value: '', name: 'Anything' },
          ...actions.map((action) => ({ value: action, name: describeAction(action) })),
        ]}
        onChoose={(action) => choose('action', action)}
      />
      <TextField label="Record (reference or id)" maxLength={300} {...field('subject')} />
      <TextField label="From" type="date" {...field('from')} />
      <TextField label="To" type="date" {...field('to')} />
    </div>
  );
}

function VerificationResult({
  verification: { problem, head, verified_at },
}: {
  verification: Verification;
}) {
  const at = formatShortMoment(verified_at);
  if (problem) {
    return (
      <Alert tone="danger" title={`The audit log is not intact: ${problem}.`} takesFocus>
        <p>Verified {at}. Keep a copy of the database as it is, and find out who could write to it.</p>
      </Alert>
    );
  }
  return (
    <Alert tone="good" title={head ? 'The audit log is intact.' : 'The audit log is empty.'} takesFocus>
      <p>
        Verified {at}.{head && ` Keep a note of the last position outside Keyturn: ${head}`}
      </p>
    </Alert>
  );
}

function ExportButton({ filter, format }: { filter: Filter; format: 'csv' | 'jsonl' }) {
  const { isBusy, run } = useAction(showFailure);
  const download = async () => {
    const file = await callStaff('GET /staff/audit/export', {
      query: { ...filter, format },
      timeout: 120_000,
    });
    const days = [filter.from, filter.to].filter(Boolean).join(' to ');
    saveFile(file, `Audit log ${days || londonDay(new Date().toISOString())}.${format}`);
  };
  return (
    <Button busy={isBusy} busyText="Preparing…" onClick={() => void run(download)}>
      {format === 'csv' ? 'Export CSV' : 'Export JSON lines'}
    </Button>
  );
}

const columns: Column<AuditEntry>[] = [
  {
    key: 'at',
    heading: 'When',
    isRowHeader: true,
    cell: ({ at, position }) => (
      <>
        {formatShortMoment(at)}
        <span className={styles.below}>{position}</span>
      </>
    ),
  },
  {
    key: 'actor',
    heading: 'Who',
    cell: ({ actor, address }) => (
      <>
        {actor.name}
        <span className={styles.below}>
          {actor.kind.replaceAll('_', ' ')}
          {address && `, from ${address}`}
        </span>
      </>
    ),
  },
  { key: 'action', heading: 'What', cell: ({ action }) => describeAction(action) },
  {
    key: 'subject',
    heading: 'Record',
    cell: ({ subject: { kind, id } }) => (
      <>
        {kind.replaceAll('_', ' ')}
        {id && <span className={styles.below}>{id}</span>}
      </>
    ),
  },
  { key: 'values', heading: 'Details', cell: ({ before, after }) => describeValues(before, after) },
];
