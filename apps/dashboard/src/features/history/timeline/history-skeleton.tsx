import { Skeleton } from '../../../ui/states/skeleton.tsx';
import styles from './history-timeline.module.css';

/** The history before it is known, in the size of a few days. */
export function HistorySkeleton() {
  return (
    <div aria-busy="true">
      {[1, 2, 3, 4].map((day) => (
        <div key={day} className={styles.day}>
          <Skeleton width={144} />
          <div className={styles.entries}>
            <Skeleton lines={3} width="40%" />
            {day % 2 === 0 && <Skeleton lines={3} width="40%" />}
          </div>
        </div>
      ))}
    </div>
  );
}
