import type { Clock } from '../../../platform/clock.ts';

type Alarm = (message: string, details: Record<string, unknown>) => void;

/** Whoever goes on and on is told of once an hour, and cannot fill the log. */
export function onceAnHour(
  alarm: Alarm,
  clock: Clock,
): (subject: string, ...told: Parameters<Alarm>) => void {
  const toldAt = new Map<string, number>();
  return (subject, message, details) => {
    const now = clock().getTime();
    if (now - (toldAt.get(subject) ?? Number.NEGATIVE_INFINITY) < 3_600_000) return;
    if (toldAt.size >= 1_000) toldAt.clear();
    toldAt.set(subject, now);
    alarm(message, details);
  };
}
