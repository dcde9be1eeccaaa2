import type { HistoryEntry } from '@keyturn/contract';
import { formatEntryMoment } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { useState } from 'react';
import { Link } from '../../navigation/link.tsx';
import { Panel } from '../../ui/content/panel.tsx';
import fresh from '../../ui/states/fresh.module.css';
import { isNew } from './new-entries/is-new.ts';
import styles from './newest-history.module.css';

/** The panel of the latest history entries on the home page. */
export function NewestHistory({ entries }: { entries: HistoryEntry[] }) {
  const today = useToday();
  const [since] = useState(entries[0]?.occurred_at ?? '');
  return (
    <Panel
      small
      title="Latest updates"
      action={entries.length > 0 && <Link to="/case-history">See the full history</Link>}
    >
      {entries.length === 0 ? (
        <p className={styles.empty}>We record everything that happens on your case here.</p>
      ) : (
        <ol className={styles.list}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <div className={isNew(entry, since) ? fresh.fresh : undefined}>
                <p className={styles.when}>
                  <time dateTime={entry.occurred_at}>{formatEntryMoment(entry.occurred_at, today)}</time> ·{' '}
                  {entry.actor}
                </p>
                <p>{entry.summary}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
