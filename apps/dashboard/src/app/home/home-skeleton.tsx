import type { Matter } from '@keyturn/contract';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { MatterHeading } from '../../features/case/matter/matter-panel.tsx';
import { CaseSummarySkeleton } from '../../features/case/summary/case-summary.tsx';
import { Panel } from '../../ui/content/panel.tsx';
import styles from './home-page.module.css';

/** Placeholders for the home page, in the usual size of its content. */
export function HomeSkeleton() {
  return (
    <div aria-busy="true">
      <CaseSummarySkeleton />
      <div className={styles.columns}>
        <div className={styles.column}>
          <Panel look="wash" title="What we need from you">
            <Skeleton height={86} className={styles.row} />
            <Skeleton height={86} className={styles.row} />
          </Panel>
          <div>
            <Skeleton width={64} />
            <Skeleton height={34} width="70%" />
            <TrackSkeleton />
          </div>
          <SearchesSkeleton />
        </div>
        <div className={styles.side}>
          <Panel small title="Who to call">
            <Skeleton lines={4} />
          </Panel>
          <Panel small title="Money">
            <Skeleton lines={2} width="100%" />
          </Panel>
          <NewestSkeleton />
        </div>
      </div>
    </div>
  );
}

/** Placeholders for the milestones of a case that is already loaded. */
export function MatterSkeleton({ matters }: { matters: Matter[] }) {
  return matters.map((matter) => (
    <section key={matter.id} aria-labelledby={`matter-${matter.id}`} aria-busy="true">
      <MatterHeading matter={matter} id={`matter-${matter.id}`} />
      <TrackSkeleton />
    </section>
  ));
}

function TrackSkeleton() {
  return (
    <>
      <Skeleton width={160} className={styles.row} />
      <Skeleton height={70} className={styles.row} />
      <Skeleton height={146} className={styles.row} />
    </>
  );
}

export function SearchesSkeleton() {
  return (
    <Panel title="Property searches">
      <Skeleton width="60%" />
      <Skeleton height={72} className={styles.row} />
      <Skeleton height={72} className={styles.row} />
      <Skeleton height={72} className={styles.row} />
    </Panel>
  );
}

export function NewestSkeleton() {
  return (
    <Panel small title="Latest updates">
      <Skeleton lines={8} />
    </Panel>
  );
}
