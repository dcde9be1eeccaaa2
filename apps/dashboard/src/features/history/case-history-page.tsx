import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { useState } from 'react';
import { useCaseState } from '../../api/case/case-store.ts';
import { useCaseHistoryPages, useWholeCaseHistory } from '../../api/queries/use-case-history.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useHistoryUpdates } from '../../api/queries/use-newest-history.ts';
import { useIsSwitchingCase } from '../../api/queries/use-switch-case.ts';
import styles from './case-history-page.module.css';
import { HistoryToolbar } from './history-toolbar.tsx';
import { HistoryTableLoader } from './table/history-table-loader.tsx';
import { HistorySkeleton } from './timeline/history-skeleton.tsx';
import { HistoryTimeline } from './timeline/history-timeline.tsx';
import { readViewPreference, saveViewPreference, type ViewPreference } from './view-preference.ts';

/** The case history screen, as a timeline or a table. Switching to another case resets its state. */
export default function CaseHistoryPage() {
  const { generation } = useCaseState();
  return <History key={generation} />;
}

function History() {
  const client = useClient();
  const isSwitching = useIsSwitchingCase();
  const newest = useHistoryUpdates();
  const [preference, setPreference] = useViewPreference();
  const [category, setCategory] = useState<HistoryCategory>();
  const since = useFirstKnown(newest.data && (newest.data.data[0]?.occurred_at ?? ''));
  const total = newest.data?.meta.total;
  const hasNoCase = client.data?.conveyancing_case === null && !isSwitching;

  return (
    <>
      <div className={styles.head}>
        <PageHeading>Case history</PageHeading>
        <p className={styles.lead}>
          Everything that has happened on your case, newest first
          {total !== undefined && total > 0 && `: ${total === 1 ? '1 entry' : `${total} entries`}`}.
        </p>
        {!hasNoCase && total !== 0 && (
          <HistoryToolbar
            category={category}
            onCategory={setCategory}
            view={preference.view}
            onView={(view) => setPreference({ ...preference, view })}
          />
        )}
      </div>
      {isSwitching ? (
        <HistorySkeleton />
      ) : hasNoCase || total === 0 ? (
        <p className={styles.empty}>
          We record everything that happens on your case here.
          {hasNoCase && ' The first entry appears when we open your case.'}
        </p>
      ) : preference.view === 'table' ? (
        <Table category={category} since={since} preference={preference} onPreference={setPreference} />
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
              // Loading the next page would cancel a refresh in progress.
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
  preference,
  onPreference,
}: ViewProps & { preference: ViewPreference; onPreference: (preference: ViewPreference) => void }) {
  const { data, error, isFetching, refetch } = useWholeCaseHistory(true);
  if (!data && error) return <Failure error={error} isTrying={isFetching} onRetry={() => void refetch()} />;
  return (
    <HistoryTableLoader
      entries={data}
      category={category}
      since={since}
      hidden={preference.hidden}
      onHidden={(hidden) => onPreference({ ...preference, hidden })}
    />
  );
}

function Failure({ error, ...rest }: { error: Error; isTrying: boolean; onRetry: () => void }) {
  return <LoadFailure what="Your case history" message={messageOf(error)} {...rest} />;
}

/** Returns the first defined value. */
function useFirstKnown<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first ?? value;
}

function useViewPreference(): [ViewPreference, (preference: ViewPreference) => void] {
  const [preference, setPreference] = useState(() => readViewPreference(() => localStorage));
  return [
    preference,
    (next) => {
      setPreference(next);
      saveViewPreference(() => localStorage, next);
    },
  ];
}
