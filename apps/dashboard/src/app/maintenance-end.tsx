import { formatMoment } from '../ui/format-date.ts';
import { useToday } from '../ui/use-today.ts';

/** When it is expected to be over. */
export function MaintenanceEnd({ until }: { until: string }) {
  const today = useToday();
  return (
    <p>
      We expect to be back by <time dateTime={until}>{formatMoment(until, today)}</time>. This page opens
      again by itself.
    </p>
  );
}
