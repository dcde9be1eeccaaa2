import type { Matter } from '@keyturn/contract';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import { Legend } from './legend.tsx';
import { MatterPathHead } from './matter-path.tsx';
import styles from './milestones-page.module.css';

/** Placeholder while the milestones load, with the heading of the first matter if it is known. */
export function MilestonesSkeleton({ matter }: { matter: Matter | undefined }) {
  return (
    <div className={styles.columns} aria-busy="true">
      <div className={styles.loading}>
        {matter ? (
          <MatterPathHead matter={matter} milestones={[]} id={`matter-${matter.id}-title`} />
        ) : (
          <>
            <Skeleton width={64} />
            <Skeleton height={34} width={480} />
            <Skeleton width={160} />
          </>
        )}
        {[1, 2, 3, 4, 5, 6].map((row) => (
          <div key={row} className={styles.row}>
            <Skeleton width={192} />
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
      <aside className={styles.side} aria-label="Help with this page">
        <Legend />
      </aside>
    </div>
  );
}
