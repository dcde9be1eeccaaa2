import type { HistoryEntry } from '@keyturn/contract';
import { formatEntryMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import styles from '../case.module.css';

/** Entries of the history, newest first. */
export function HistoryList({ entries }: { entries: readonly HistoryEntry[] }) {
  const today = useToday();
  if (entries.length === 0) return <p className={styles.soft}>There are no entries yet.</p>;
  return (
    <ol className={styles.entries}>
      {entries.map(({ id, occurred_at, actor, summary }) => (
        <li key={id}>
          <p className={styles.soft}>
            <time dateTime={occurred_at}>{formatEntryMoment(occurred_at, today)}</time> · {actor}
          </p>
          <p>{summary}</p>
        </li>
      ))}
    </ol>
  );
}
