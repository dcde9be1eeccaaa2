import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './milestones-page.module.css';

/** The page before anything is known, in the size of a matter's first steps. */
export function MilestonesSkeleton() {
  return (
    <div className={styles.columns} aria-busy="true">
      <div>
        <Skeleton width="4rem" />
        <Skeleton height={34} width="min(30rem, 90%)" />
        <Skeleton width="10rem" className={styles.row} />
        {[1, 2, 3, 4, 5].map((row) => (
          <div key={row} className={styles.row}>
            <Skeleton width="12rem" />
            <Skeleton lines={2} />
          </div>
        ))}
      </div>
    </div>
  );
}
