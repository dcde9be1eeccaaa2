import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { useState } from 'react';
import { useCaseState } from '../../api/case/use-case-state.ts';
import { messageOf } from '../../api/client/api-error.ts';
import { useCaseHistoryPages, useWholeCaseHistory } from '../../api/queries/use-case-history.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useHistoryUpdates } from '../../api/queries/use-newest-history.ts';
import { useIsSwitchingCase } from '../../api/queries/use-switch-case.ts';
import { PageHeading } from '../../ui/base/page-heading.tsx';
import { LoadFailure } from '../../ui/states/load-failure.tsx';
import styles from './case-history-page.module.css';
import { HistoryToolbar } from './history-toolbar.tsx';
import { HistoryTableLoader } from './table/history-table-loader.tsx';
import { HistorySkeleton } from './timeline/history-skeleton.tsx';
import { HistoryTimeline } from './timeline/history-timeline.tsx';
import { keepViewChoice, readViewChoice, type ViewChoice } from './view-choice.ts';

/** Everything that happened, as a timeline or as a table. Another case starts anew. */
export function CaseHistoryPage() {
  const { generation } = useCaseState();
  return <History key={generation} />;
}

function History() {
  const client = useClient();
  const isSwitching = useIsSwitchingCase();
  const newest = useHistoryUpdates();
  const [choice, choose] = useViewChoice();
  const [category, setCategory] = useState<HistoryCategory>();
  const since = useFirst(newest.data && (newest.data.data[0]?.occurred_at ?? ''));
  const total = newest.data?.meta.total;
  const hasNoCase = client.data?.conveyancing_case === null && !isSwitching;

  return (
    <>
      <div className={styles.head}>
        <PageHeading>Case history</PageHeading>
        <p className={styles.lead}>
          Everything that happened on your case, newest first
          {total !== undefined && total > 0 && `: ${total === 1 ? '1 entry' : `${total} entries`}`}.
        </p>
        {!hasNoCase && total !== 0 && (
          <HistoryToolbar
            category={category}
            onCategory={setCategory}
            view={choice.view}
            onView={(view) => choose({ ...choice, view })}
          />
        )}
      </div>
      {isSwitching ? (
        <HistorySkeleton />
      ) : hasNoCase || total === 0 ? (
        <p className={styles.nothing}>
          Everything that happens on your case is noted here, from the first letter on. The first entry comes
          when we open your case.
        </p>
      ) : choice.view === 'table' ? (
        <Table category={category} since={since} choice={choice} onChoice={choose} />
      ) : (
        <Timeline category={category} since={since} />
      )}
    </>
  );
}

interface ViewProps {
  category: HistoryCategory | undefined;
  since: string | undefined;
}

function Timeline({ category, since }: ViewProps) {
  const { data, error, isFetching, isFetchingNextPage, isFetchNextPageError, hasNextPage, ...query } =
    useCaseHistoryPages(category, true);
  if (!data) {
    if (!error) return <HistorySkeleton />;
    return <Failure error={error} isTrying={isFetching} onRetry={() => void query.refetch()} />;
  }
  return (
    <HistoryTimeline
      entries={data.pages.flatMap((page): HistoryEntry[] => page.data)}
      category={category}
      since={since}
      older={
        hasNextPage
          ? {
              isLoading: isFetchingNextPage,
              failure: isFetchNextPageError ? messageOf(error) : null,
              // What is being read anew is not to be interrupted for the sake of the next page.
              load: () => void (isFetching || query.fetchNextPage()),
            }
          : null
      }
    />
  );
}

function Table({
  category,
  since,
  choice,
  onChoice,
}: ViewProps & { choice: ViewChoice; onChoice: (choice: ViewChoice) => void }) {
  const { data, error, isFetching, refetch } = useWholeCaseHistory(true);
  if (!data && error) return <Failure error={error} isTrying={isFetching} onRetry={() => void refetch()} />;
  return (
    <HistoryTableLoader
      entries={data}
      category={category}
      since={since}
      hidden={choice.hidden}
      onHidden={(hidden) => onChoice({ ...choice, hidden })}
    />
  );
}

function Failure({ error, ...rest }: { error: Error; isTrying: boolean; onRetry: () => void }) {
  return <LoadFailure what="Your case history" message={messageOf(error)} {...rest} />;
}

/** What was known first, whatever comes later. */
function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first ?? value;
}

function useViewChoice(): [ViewChoice, (choice: ViewChoice) => void] {
  const [choice, setChoice] = useState(() => readViewChoice(() => localStorage));
  return [
    choice,
    (next) => {
      setChoice(next);
      keepViewChoice(() => localStorage, next);
    },
  ];
}
