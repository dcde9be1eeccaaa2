import type { ClientData, LegalHold } from '@keyturn/contract/staff';
import { formatShortMoment } from '@keyturn/format/dates';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useState } from 'react';
import { useMember } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../client-data.module.css';
import type { ClientDataChanges } from '../client-data-queries.ts';
import { PlaceHoldDialog, ReleaseHoldDialog } from './change-hold.tsx';

/** The legal holds that protect a client and their cases, with their reasons and the members who placed them. */
export function HoldsSection({ data, changes }: { data: ClientData; changes: ClientDataChanges }) {
  const isAdmin = useMember().role === 'admin';
  const [isPlacing, setPlacing] = useState(false);
  const [holdToRelease, setHoldToRelease] = useState<LegalHold | null>(null);
  return (
    <Section
      title="Legal holds"
      actions={<Button onClick={() => setPlacing(true)}>Place a legal hold</Button>}
    >
      <p className={styles.lead}>
        A client or case under a legal hold can’t be erased, even after its retention period has ended.
        Clients do not see holds, and no export of their data contains them.
        {!isAdmin && ' Only an admin can release a hold.'}
      </p>
      <Table
        label="Legal holds"
        columns={columnsFor(isAdmin ? setHoldToRelease : null)}
        query={{ data: data.holds, error: null, isFetching: false, refetch: changes.refresh }}
        keyOf={({ subject_id, placed_at }) => `${subject_id} ${placed_at}`}
        empty={<EmptyState title="There are no legal holds on this client or their cases." />}
      />
      {isPlacing && <PlaceHoldDialog data={data} changes={changes} onClose={() => setPlacing(false)} />}
      {holdToRelease && (
        <ReleaseHoldDialog hold={holdToRelease} changes={changes} onClose={() => setHoldToRelease(null)} />
      )}
    </Section>
  );
}

/** @param onRelease null if the member’s role may not release holds */
const columnsFor = (onRelease: ((hold: LegalHold) => void) | null): Column<LegalHold>[] => [
  {
    key: 'subject',
    heading: 'Protects',
    isRowHeader: true,
    cell: ({ kind, subject_name }) =>
      kind === 'case' ? `Case ${subject_name}` : `${subject_name} and all their cases`,
  },
  { key: 'reason', heading: 'Why', cell: ({ reason }) => reason },
  {
    key: 'placed',
    heading: 'Placed',
    cell: ({ placed_at, placed_by }) => (
      <>
        {formatShortMoment(placed_at)}
        <span className={styles.below}>by {placed_by}</span>
      </>
    ),
  },
  {
    key: 'state',
    heading: 'State',
    cell: ({ released_at, released_by, release_reason }) =>
      released_at === null ? (
        <StatusTag tone="held">In force</StatusTag>
      ) : (
        <>
          <StatusTag tone="off">Released {formatShortMoment(released_at)}</StatusTag>
          <span className={styles.below}>
            by {released_by}
            {release_reason ? `: ${release_reason}` : ''}
          </span>
        </>
      ),
  },
  ...(onRelease
    ? [
        {
          key: 'actions',
          heading: 'Actions',
          isHeadingHidden: true,
          align: 'end' as const,
          cell: (hold: LegalHold) =>
            hold.released_at === null && (
              <Button
                look="plain"
                aria-label={`Release the hold on ${hold.subject_name}`}
                onClick={() => onRelease(hold)}
              >
                Release
              </Button>
            ),
        },
      ]
    : []),
];
