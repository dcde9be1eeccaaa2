import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { useStore } from '@keyturn/browser/store/create-store.ts';
import type { CaseSearch, ConveyancingCase, Milestone } from '@keyturn/contract';
import { propertyName } from '@keyturn/format/property-names';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useBankDetailsText } from '../../api/case/use-bank-details-text.ts';
import { useCaseSearches } from '../../api/queries/use-case-searches.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useHistoryMaintenance } from '../../api/queries/use-history-maintenance.ts';
import { useMilestones } from '../../api/queries/use-milestones.ts';
import { useNewestHistory } from '../../api/queries/use-newest-history.ts';
import { useOnlineSince } from '../../api/queries/use-online-since.ts';
import { useIsSwitchingCase } from '../../api/queries/use-switch-case.ts';
import { useServices } from '../../api/services/services.ts';
import { WhoToCall } from '../../features/case/contacts/who-to-call.tsx';
import { CaseHeading } from '../../features/case/heading/case-heading.tsx';
import { CaseOutcome } from '../../features/case/heading/case-outcome.tsx';
import { FreshnessLine, FreshnessSkeleton } from '../../features/case/heading/freshness-line.tsx';
import { MatterPanel } from '../../features/case/matter/matter-panel.tsx';
import { MoneyPanel } from '../../features/case/money-panel.tsx';
import { CaseSummary } from '../../features/case/summary/case-summary.tsx';
import { PaymentRequests } from '../../features/case/tasks/payment-requests.tsx';
import { TaskList } from '../../features/case/tasks/task-list.tsx';
import { NewestHistory } from '../../features/history/newest-history.tsx';
import { CaseSearchList } from '../../features/searches/case-search-list.tsx';
import { FraudWarning } from '../../ui/content/fraud-warning.tsx';
import { caseFreshness } from './case-freshness.ts';
import { HistoryMaintenance } from './history-maintenance.tsx';
import styles from './home-page.module.css';
import { HomeSkeleton, MatterSkeleton, NewestSkeleton, SearchesSkeleton } from './home-skeleton.tsx';
import { NoCaseYet } from './no-case-yet.tsx';

export { loadHome } from './load-home.ts';

/** The case at a glance. Its queries start together, and each part loads or fails separately. */
export default function HomePage() {
  const client = useClient();
  const caseSearches = useCaseSearches();
  const milestones = useMilestones();
  const newest = useNewestHistory();
  const isSwitching = useIsSwitchingCase();
  const historyMaintenance = useHistoryMaintenance();
  const conveyancingCase = isSwitching ? undefined : (client.data?.conveyancing_case ?? undefined);

  if (client.data?.conveyancing_case === null && !isSwitching)
    return <NoCaseYet firstName={client.data.first_name} />;
  if (!client.data && client.error && !isSwitching) {
    return (
      <div className={styles.failure}>
        <PageHeading>Your case</PageHeading>
        <LoadFailure
          what="Your case"
          message={messageOf(client.error)}
          isTrying={client.isFetching}
          onRetry={() => void client.refetch()}
        />
      </div>
    );
  }
  return (
    <>
      <CaseHeading
        conveyancingCase={conveyancingCase}
        freshness={conveyancingCase && <HomeFreshness updatedAt={conveyancingCase.updated_at} />}
      />
      {conveyancingCase ? (
        <>
          <CaseSummary
            conveyancingCase={conveyancingCase}
            milestones={milestones.data}
            isLoading={!milestones.data && !milestones.error}
          />
          <div className={styles.columns}>
            <MainColumn
              conveyancingCase={conveyancingCase}
              milestones={milestones}
              caseSearches={caseSearches}
            />
            <SideColumn conveyancingCase={conveyancingCase} caseSearches={caseSearches}>
              {historyMaintenance ? (
                <HistoryMaintenance notice={historyMaintenance} />
              ) : (
                <QueryPart query={newest} what="The newest changes" skeleton={<NewestSkeleton />}>
                  {({ data }) => <NewestHistory key={conveyancingCase.id} entries={data} />}
                </QueryPart>
              )}
              <AskAboutRecording />
            </SideColumn>
          </div>
        </>
      ) : (
        <HomeSkeleton />
      )}
    </>
  );
}

/** A separate component, because each fetch renders it again, even if nothing has changed. */
function HomeFreshness({ updatedAt }: { updatedAt: string }) {
  const isHistoryClosed = useHistoryMaintenance() !== null;
  const newest = useNewestHistory();
  const freshness = caseFreshness({
    client: useClient(),
    caseSearches: useCaseSearches(),
    milestones: useMilestones(),
    newest: isHistoryClosed ? null : newest,
    updatedAt,
    onlineSince: useOnlineSince(),
  });
  return freshness ? <FreshnessLine freshness={freshness} /> : <FreshnessSkeleton />;
}

interface ColumnProps {
  conveyancingCase: ConveyancingCase;
  caseSearches: UseQueryResult<CaseSearch[]>;
}

function MainColumn({
  conveyancingCase,
  milestones,
  caseSearches,
}: ColumnProps & { milestones: UseQueryResult<Milestone[]> }) {
  const { matters } = conveyancingCase;
  return (
    <div className={styles.column}>
      <CaseOutcome conveyancingCase={conveyancingCase} />
      <PaymentRequests />
      <TaskList conveyancingCase={conveyancingCase} caseSearches={caseSearches.data} />
      <QueryPart
        query={milestones}
        what="The stages of your case"
        skeleton={<MatterSkeleton matters={matters} />}
      >
        {(all) =>
          matters.map((matter) => (
            <MatterPanel
              key={matter.id}
              conveyancingCase={conveyancingCase}
              matter={matter}
              milestones={all.filter(({ matter_id }) => matter_id === matter.id)}
            />
          ))
        }
      </QueryPart>
      <QueryPart query={caseSearches} what="Your searches" skeleton={<SearchesSkeleton />}>
        {(all) => (
          <CaseSearchList
            caseSearches={all}
            matters={matters}
            firm={conveyancingCase.firm}
            homeOf={({ property }) => propertyName(property)}
          />
        )}
      </QueryPart>
    </div>
  );
}

function SideColumn({ conveyancingCase, caseSearches, children }: ColumnProps & { children: ReactNode }) {
  return (
    <aside className={styles.side} aria-label="Contacts, money and news">
      <WhoToCall conveyancingCase={conveyancingCase} />
      <MoneyPanel conveyancingCase={conveyancingCase} caseSearches={caseSearches.data} />
      <FraudWarning text={useBankDetailsText()} />
      {children}
    </aside>
  );
}

/** Loaded on demand: few firms record sessions, and their clients answer once. */
const RecordingQuestion = lazy(() =>
  import('../../features/account/recording/recording-question.tsx').then(
    ({ RecordingQuestion: Question }): { default: () => ReactNode } => ({ default: Question }),
    () => ({ default: () => null }),
  ),
);

function AskAboutRecording() {
  const { recordingChoice } = useServices();
  const answer = useStore(recordingChoice);
  return (
    recordingChoice.isOffered &&
    answer === null && (
      <Suspense>
        <RecordingQuestion />
      </Suspense>
    )
  );
}

interface QueryPartProps<T> {
  query: UseQueryResult<T>;
  what: string;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** Shows a skeleton, the data or the failure of a query. */
function QueryPart<T>({ query, what, skeleton, children }: QueryPartProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return skeleton;
  return (
    <LoadFailure
      what={what}
      message={messageOf(query.error)}
      isTrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
