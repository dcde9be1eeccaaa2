import { formatEnd } from '@keyturn/format/dates';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';

/** Tells the client when the maintenance is expected to end. */
export function MaintenanceEnd({ until }: { until: string }) {
  const today = useToday();
  return (
    <p>
      We expect to be back by <time dateTime={until}>{formatEnd(until, today)}</time>. This page will reopen
      automatically.
    </p>
  );
}
