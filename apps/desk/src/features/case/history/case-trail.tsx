import type { DeskCase, TrailEntry } from '@keyturn/contract/staff';
import { formatEntryMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { callStaff } from '../../../api/desk-api.ts';
import { Button } from '../../../ui/base/button.tsx';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import { caseKey } from '../case-queries.ts';
import { describeEdits, describeEntry } from './trail-text.ts';

const pageSize = 25;

/** What staff, clients and the firm’s system have done on the case, newest first. */
export function CaseTrail({ deskCase }: { deskCase: DeskCase }) {
  const today = useToday();
  const { id } = deskCase;
  const query = useInfiniteQuery({
    queryKey: [...caseKey(id), 'trail'],
    meta: { follows: { caseId: id } },
    initialPageParam: null as number | null,
    queryFn: ({ pageParam: before, signal }) =>
      callStaff('GET /staff/trail/{kind}/{id}', {
        params: { kind: 'case', id },
        query: { limit: pageSize, ...(before === null ? {} : { before }) },
        signal,
      }),
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.position ?? null)),
  });
  const columns: Column<TrailEntry>[] = [
    {
      key: 'what',
      heading: 'What',
      isRowHeader: true,
      cell: (entry) => (
        <>
          {describeEntry(entry, deskCase)}
          {describeEdits(entry, deskCase).map((change) => (
            <span key={change} className={styles.change}>
              {change}
            </span>
          ))}
        </>
      ),
    },
    { key: 'who', heading: 'Who', cell: ({ actor }) => actor.name },
    {
      key: 'when',
      heading: 'When',
      cell: ({ at }) => <time dateTime={at}>{formatEntryMoment(at, today)}</time>,
    },
  ];
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <Section title="Activity">
      <Table
        label={`Activity on ${deskCase.reference}`}
        columns={columns}
        query={{ data: data?.pages.flat(), error, isFetching, refetch }}
        keyOf={(entry) => entry.id}
        empty={<EmptyState title="Nothing is recorded yet." />}
      />
      {hasNextPage && (
        <Button busy={isFetchingNextPage} busyText="Loading" onClick={() => void fetchNextPage()}>
          Show earlier entries
        </Button>
      )}
    </Section>
  );
}
