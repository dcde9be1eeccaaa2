import type { HistoryCategory, HistoryEntry } from '@keyturn/contract';
import { useEffect, useRef } from 'react';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { useToday } from '../../../ui/format/use-today.ts';
import { categoryChoices } from '../category-words.ts';
import { isNew } from '../new-entries/is-new.ts';
import { entriesByDay } from './entries-by-day.ts';
import styles from './history-timeline.module.css';
import { TimelineEntry } from './timeline-entry.tsx';

export interface HistoryTimelineProps {
  /** Newest first. */
  entries: HistoryEntry[];
  category: HistoryCategory | undefined;
  /** As `isNew` takes it. */
  since: string | undefined;
  /** How older entries are read; null where there are none. */
  older: { isLoading: boolean; failure: string | null; load: () => void } | null;
}

/** What happened, day by day; older entries come as the reader gets near the end. */
export function HistoryTimeline({ entries, category, since, older }: HistoryTimelineProps) {
  const today = useToday();
  if (entries.length === 0) {
    const kind = categoryChoices.find(({ value }) => value === category)?.words.toLowerCase();
    return (
      <p className={styles.nothing}>
        Nothing about {kind ?? 'your case'} has happened yet. When it does, it appears here by itself.
      </p>
    );
  }
  return (
    <div className={styles.timeline}>
      {entriesByDay(entries, today).map(({ day, title, entries: ofDay }) => (
        <div key={day} className={styles.day}>
          <h2 id={`day-${day}`}>
            <time dateTime={day}>{title}</time>
          </h2>
          <ol className={styles.entries} aria-labelledby={`day-${day}`}>
            {ofDay.map((entry) => (
              <TimelineEntry key={entry.id} entry={entry} isNew={isNew(entry, since)} />
            ))}
          </ol>
        </div>
      ))}
      {older ? <Older {...older} /> : <p className={styles.end}>That is where your case began.</p>}
    </div>
  );
}

function Older({ isLoading, failure, load }: NonNullable<HistoryTimelineProps['older']>) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  const isWaiting = !isLoading && failure === null;
  useEffect(() => {
    if (!place.current || !isWaiting) return;
    const watcher = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) latest.current();
      },
      { rootMargin: '600px' },
    );
    watcher.observe(place.current);
    return () => watcher.disconnect();
  }, [isWaiting]);
  return (
    <div className={styles.older} ref={place}>
      {failure !== null && (
        <Alert tone="attention" title="Older entries could not be shown">
          <p>{failure}</p>
        </Alert>
      )}
      <Button look="quiet" busy={isLoading} busyText="Reading…" onClick={load}>
        Show older entries
      </Button>
    </div>
  );
}
