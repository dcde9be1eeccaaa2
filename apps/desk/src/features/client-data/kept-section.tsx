import type { ClientData, KeptCase } from '@keyturn/contract/staff';
import { formatShortDayOf } from '@keyturn/format/dates';
import { Link } from 'wouter';
import { EmptyState, Section } from '../../ui/base/page.tsx';
import { type Column, Table } from '../../ui/table/table.tsx';
import styles from './client-data.module.css';
import { describeContents, describeRetentionEnd, describeRule } from './retention-text.ts';

/** What is kept about a client, and until when. */
export function KeptSection({ data: { cases, without_cases } }: { data: ClientData }) {
  return (
    <Section title="What is kept, and until when">
      <p className={styles.lead}>
        A closed case is kept until the latest date under “Why”. The periods are the firm’s retention rules,
        which the operator of Keyturn changes with <code>keyturn retention</code>.
      </p>
      <Table
        label="Cases of the client"
        columns={columns}
        query={{ data: cases, error: null, isFetching: false, refetch: () => undefined }}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title="This client has no cases.">
            {without_cases &&
              ` ${describeRule(without_cases)}. ${describeRetentionEnd('client', without_cases)}`}
          </EmptyState>
        }
        isMain
      />
      <h3 className={styles.others}>Besides the cases</h3>
      <ul className={styles.list}>
        <li>
          Name, contact details and password: until the client is erased. Sign-ins and devices: until they
          expire or the client is erased.
        </li>
        <li>
          Entries of the audit log: not deleted. An erasure removes the client’s name and IP addresses from
          them.
        </li>
        <li>
          Legal holds and the record of an erasure: not deleted. An erasure removes the reasons of holds.
        </li>
        <li>
          Backups, sent emails, Stripe and the firm’s other systems are not part of this page, and no erasure
          in Keyturn reaches them.
        </li>
      </ul>
    </Section>
  );
}

const columns: Column<KeptCase>[] = [
  {
    key: 'case',
    heading: 'Case',
    isRowHeader: true,
    cell: ({ id, reference, title, status, closed_at }) => (
      <>
        <Link to={`/cases/${id}/people`}>{reference}</Link>
        <span className={styles.below}>{title}</span>
        {closed_at !== null && (
          <span className={styles.below}>
            {status === 'abandoned' ? 'Abandoned' : 'Completed'} on {formatShortDayOf(closed_at)}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'contents',
    heading: 'Contains',
    cell: (kept) => (
      <>
        {describeContents(kept)}
        {kept.shared_with.length > 0 && (
          <span className={styles.below}>Also the file of {kept.shared_with.join(' and ')}</span>
        )}
      </>
    ),
  },
  {
    key: 'rules',
    heading: 'Why',
    cell: ({ rules }) => (
      <ul>
        {rules.map((rule) => (
          <li key={rule.kind}>{describeRule(rule)}</li>
        ))}
      </ul>
    ),
  },
  {
    key: 'until',
    heading: 'Kept until',
    cell: (kept) =>
      kept.retained_until === null ? (
        'The case is open. Its retention starts when it is closed.'
      ) : (
        <>
          <strong>{formatShortDayOf(kept.retained_until)}</strong>
          <span className={styles.below}>
            {describeRetentionEnd('case', { deletes: kept.deletes, until: kept.retained_until })}
          </span>
        </>
      ),
  },
];
