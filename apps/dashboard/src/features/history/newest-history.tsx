import type { HistoryEntry } from '@keyturn/contract';
import { Link } from '@tanstack/react-router';
import { formatEntryMoment } from '../../ui/format-date.ts';
import { Panel } from '../../ui/panel.tsx';
import { useToday } from '../../ui/use-today.ts';
import styles from './newest-history.module.css';

/** The last few things that happened, and who did them. */
export function NewestHistory({ entries }: { entries: HistoryEntry[] }) {
  const today = useToday();
  return (
    <Panel
      small
      title="Newest"
      action={entries.length > 0 && <Link to="/case-history">See the whole history</Link>}
    >
      {entries.length === 0 ? (
        <p className={styles.nothing}>
          Everything that happens on your case is noted here, from the first letter on.
        </p>
      ) : (
        <ol className={styles.list}>
          {entries.map(({ id, occurred_at, actor, summary }) => (
            <li key={id}>
              <p className={styles.when}>
                <time dateTime={occurred_at}>{formatEntryMoment(occurred_at, today)}</time> · {actor}
              </p>
              <p>{summary}</p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
