import { formatDay, formatTime, londonDay } from '@keyturn/format/london-time';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';

/** Tells the client when the maintenance is expected to end. */
export function MaintenanceEnd({ until }: { until: string }) {
  const today = useToday();
  const day = londonDay(until);
  return (
    <p>
      We expect to be back by{' '}
      <time dateTime={until}>
        {formatTime(until)} {day === today ? 'today' : `on ${formatDay(day)}`}
      </time>
      . This page will reopen automatically.
    </p>
  );
}
