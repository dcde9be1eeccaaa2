import { formatMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Skeleton } from '@keyturn/ui/states/skeleton.tsx';
import styles from './case-heading.module.css';

/** How current the data on the page is. */
export interface CaseFreshness {
  isOutOfDate: boolean;
  /** ISO 8601; null when unknown. */
  lastChange: string | null;
}

/** When the case was last updated, and a warning if the page may be out of date. */
export function FreshnessLine({ freshness }: { freshness: CaseFreshness }) {
  const today = useToday();
  return (
    <p className={styles.freshness}>
      <span className={freshness.isOutOfDate ? styles.staleDot : styles.freshDot} aria-hidden="true" />
      {freshnessText(freshness, today)}
    </p>
  );
}

export function FreshnessSkeleton() {
  return (
    <div className={styles.freshness}>
      <Skeleton width={240} className={styles.wide} />
    </div>
  );
}

function freshnessText({ isOutOfDate, lastChange }: CaseFreshness, today: string): string {
  const lastUpdated = lastChange && `Last updated ${formatMoment(lastChange, today)}`;
  if (isOutOfDate) return ['May be out of date.', lastUpdated].filter(Boolean).join(' ');
  return lastUpdated ?? 'Up to date.';
}
