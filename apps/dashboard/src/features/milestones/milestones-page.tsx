import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import type { ConveyancingCase, Milestone } from '@keyturn/contract';
import { formatDay } from '@keyturn/format/london-time';
import { Button } from '@keyturn/ui/base/button.tsx';
import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { LoadFailure } from '@keyturn/ui/states/load-failure.tsx';
import { emptyText } from '../../api/case/empty-text.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useMilestones } from '../../api/queries/use-milestones.ts';
import { useIsSwitchingCase } from '../../api/queries/use-switch-case.ts';
import { Legend } from './legend.tsx';
import { MatterLinks } from './matter-links.tsx';
import { MatterPath } from './matter-path.tsx';
import styles from './milestones-page.module.css';
import { MilestonesSkeleton } from './milestones-skeleton.tsx';

/** The milestones screen: every step of each matter, done, under way or still ahead. */
export default function MilestonesPage() {
  const today = useToday();
  const client = useClient();
  const milestones = useMilestones();
  const isSwitching = useIsSwitchingCase();
  const conveyancingCase = isSwitching ? undefined : client.data?.conveyancing_case;
  const all = isSwitching ? undefined : milestones.data;
  const failure = isSwitching
    ? null
    : ((client.data ? null : client.error) ?? (milestones.data ? null : milestones.error));
  // Most cases have milestones, so the page shows placeholders for them while loading.
  const hasPath = conveyancingCase !== null && !failure && all?.length !== 0;

  return (
    <>
      <div className={styles.head}>
        <div className={styles.title}>
          <div>
            <PageHeading>Milestones</PageHeading>
            <p className={styles.lead}>Every step of your case, what it means and who does it.</p>
          </div>
          {hasPath && (
            <Button
              look="quiet"
              size="small"
              className={styles.print}
              disabled={!all}
              onClick={() => window.print()}
            >
              Print
            </Button>
          )}
        </div>
        {hasPath && conveyancingCase && (
          <p className={styles.printHeading}>
            Case {conveyancingCase.reference}, status on {formatDay(today)}
          </p>
        )}
        {hasPath && <MatterLinks matters={conveyancingCase?.matters} />}
      </div>
      <Content
        conveyancingCase={conveyancingCase}
        milestones={all}
        failure={failure}
        isTrying={client.isFetching || milestones.isFetching}
        onRetry={() => {
          if (!client.data) void client.refetch();
          if (!milestones.data) void milestones.refetch();
        }}
      />
    </>
  );
}

interface ContentProps {
  /** Null when the client has no case; undefined while loading. */
  conveyancingCase: ConveyancingCase | null | undefined;
  milestones: Milestone[] | undefined;
  failure: Error | null;
  isTrying: boolean;
  onRetry: () => void;
}

function Content({ conveyancingCase, milestones, failure, isTrying, onRetry }: ContentProps) {
  if (conveyancingCase === null) {
    return (
      <p className={styles.empty}>
        Your case isn’t open yet. Once we’ve opened it, this page shows every step from start to finish.
      </p>
    );
  }
  if (failure) {
    return (
      <LoadFailure
        what="Your milestones"
        message={messageOf(failure)}
        isTrying={isTrying}
        onRetry={onRetry}
      />
    );
  }
  if (!conveyancingCase || !milestones) return <MilestonesSkeleton matter={conveyancingCase?.matters[0]} />;
  if (milestones.length === 0) {
    return (
      <p className={styles.empty}>
        {emptyText(
          conveyancingCase.status,
          'The steps of your case appear here once we’ve planned them, usually within a few working days of opening it.',
        )}
      </p>
    );
  }
  return (
    <div className={styles.columns}>
      <div className={styles.paths}>
        {conveyancingCase.matters.map((matter) => (
          <MatterPath
            key={matter.id}
            matter={matter}
            milestones={milestones.filter(({ matter_id }) => matter_id === matter.id)}
          />
        ))}
      </div>
      <aside className={styles.side} aria-label="Help with this page">
        <Legend />
      </aside>
    </div>
  );
}
