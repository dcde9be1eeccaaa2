import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useEffect, useRef } from 'react';
import { categoryOptions } from '../category-labels.ts';
import { isNew } from '../new-entries/is-new.ts';
import { groupByDay } from './group-by-day.ts';
import styles from './history-timeline.module.css';
import { TimelineEntry } from './timeline-entry.tsx';

export interface HistoryTimelineProps {
  /** Newest first. */
  entries: HistoryEntry[];
  category: HistoryCategory | undefined;
  /** The `since` parameter of `isNew`. */
  since: string | undefined;
  /** Loads older entries; null when there are none. */
  older: { isLoading: boolean; failure: string | null; load: () => void } | null;
}

/** The case history day by day. Loads older entries as the client scrolls towards the end. */
export function HistoryTimeline({ entries, category, since, older }: HistoryTimelineProps) {
  const today = useToday();
  const { length } = entries;
  // Older entries push the footer down, also while the keyboard is on its links.
  useEffect(() => {
    if (length > 0) focusInFooter()?.scrollIntoView({ block: 'nearest' });
  }, [length]);
  if (length === 0) {
    const kind = categoryOptions.find(({ value }) => value === category)?.label.toLowerCase();
    return (
      <p className={styles.empty}>
        Nothing about {kind ?? 'your case'} yet. New entries appear here automatically.
      </p>
    );
  }
  return (
    <div>
      {groupByDay(entries, today).map(({ day, title, entries: entriesOfDay }) => (
        <div key={day} className={styles.day}>
          <h2 id={`day-${day}`}>
            <time dateTime={day}>{title}</time>
          </h2>
          <ol className={styles.entries} aria-labelledby={`day-${day}`}>
            {entriesOfDay.map((entry) => (
              <TimelineEntry key={entry.id} entry={entry} isNew={isNew(entry, since)} />
            ))}
          </ol>
        </div>
      ))}
      {older ? <OlderEntries {...older} /> : <p className={styles.end}>This is the start of your case.</p>}
    </div>
  );
}

/** The element of the footer that has the focus; otherwise each page of entries would move its links away. */
const focusInFooter = () => document.activeElement?.closest('footer') && document.activeElement;

function OlderEntries({ isLoading, failure, load }: NonNullable<HistoryTimelineProps['older']>) {
  const sentinel = useRef<HTMLDivElement>(null);
  const latestLoad = useRef(load);
  useEffect(() => {
    latestLoad.current = load;
  });
  const isWaiting = !isLoading && failure === null;
  useEffect(() => {
    if (!sentinel.current || !isWaiting) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting) && !focusInFooter()) latestLoad.current();
      },
      { rootMargin: '600px' },
    );
    observer.observe(sentinel.current);
    return () => observer.disconnect();
  }, [isWaiting]);
  return (
    <div className={styles.older} ref={sentinel}>
      {failure !== null && (
        <Alert tone="attention" title="We couldn’t load older entries">
          <p>{failure}</p>
        </Alert>
      )}
      <Button look="quiet" busy={isLoading} busyText="Loading…" onClick={load}>
        Show older entries
      </Button>
    </div>
  );
}
