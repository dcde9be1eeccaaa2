import type { MaintenanceNotice } from '@keyturn/contract';
import { formatEnd } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import { Panel } from '../../ui/content/panel.tsx';
import styles from './home-page.module.css';

/** Replaces the newest changes while the history is in maintenance. */
export function HistoryMaintenance({ notice: { message, until } }: { notice: MaintenanceNotice }) {
  const today = useToday();
  return (
    <Panel small title="Latest updates">
      <div className={styles.closed}>
        <p>{message ?? 'We are currently in maintenance, please try again later.'}</p>
        {until && (
          <p>
            We expect the history to be back by <time dateTime={until}>{formatEnd(until, today)}</time>.
          </p>
        )}
      </div>
    </Panel>
  );
}
