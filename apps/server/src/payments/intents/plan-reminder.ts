/** Days before the deadline of a dispute at which the operator is reminded; 0 once it has passed. */
const reminderDays = [7, 3, 1, 0] as const;

const dayLength = 24 * 3_600_000;

/** Returns the reminders that are due by now, the most urgent last. */
export const daysReached = (dueBy: Date, now: Date): number[] =>
  reminderDays.filter((days) => dueBy.getTime() - now.getTime() <= days * dayLength);

/**
 * Decides which reminder of a deadline to send. After a gap, only the most urgent one is sent, and it covers those before.
 * @param sent the days of the reminders that were sent, or are covered
 * @returns the days of the reminder, and every reminder that it covers; null if there is none to send
 */
export function planReminder(
  { dueBy, sent }: { dueBy: Date; sent: readonly number[] },
  now: Date,
): { days: number; covers: number[] } | null {
  const reached = daysReached(dueBy, now);
  const days = reached.at(-1);
  if (days === undefined || sent.includes(days)) return null;
  return { days, covers: reached };
}
