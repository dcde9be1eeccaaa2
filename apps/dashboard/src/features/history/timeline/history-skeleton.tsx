import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import styles from './history-timeline.module.css';

/** Placeholder of a few days while the history loads. */
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
