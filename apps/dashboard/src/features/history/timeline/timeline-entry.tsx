import type { HistoryEntry } from '@keyturn/contract';
import { formatTime } from '@keyturn/format/london-time';
import { Link } from '../../../navigation/link.tsx';
import { historyCategoryNames } from '../category-labels.ts';
import { entryLink } from '../entry-link.ts';
import { NewBadge } from '../new-badge.tsx';
import styles from './timeline-entry.module.css';

/** One entry of the timeline. */
export function TimelineEntry({ entry, isNew }: { entry: HistoryEntry; isNew: boolean }) {
  const { occurred_at, category, actor, summary, link } = entry;
  const target = entryLink(link);
  return (
    <li className={styles.entry} data-new={isNew || undefined}>
      <p className={styles.meta}>
        <time dateTime={occurred_at}>{formatTime(occurred_at)}</time>
        <span className={styles.category}>{historyCategoryNames[category]}</span>
        {isNew && <NewBadge />}
      </p>
      <p className={styles.summary}>{summary}</p>
      <p className={styles.actor}>
        {actor}
        {target && (
          <>
            {' '}
            <Link to={target.path}>{target.label}</Link>
          </>
        )}
      </p>
    </li>
  );
}
