import type { AlertOperator } from './alert-operator.ts';
import type { Clock } from './clock.ts';

/** Limits alerts to one an hour for each subject, so that a repeated problem cannot fill the log. */
export function limitAlerts(
  alertOperator: AlertOperator,
  clock: Clock,
): (subject: string, ...alert: Parameters<AlertOperator>) => void {
  const alertedAt = new Map<string, number>();
  return (subject, message, details) => {
    const now = clock().getTime();
    if (now - (alertedAt.get(subject) ?? Number.NEGATIVE_INFINITY) < 3_600_000) return;
    if (alertedAt.size >= 1_000) alertedAt.clear();
    alertedAt.set(subject, now);
    alertOperator(message, details);
  };
}
