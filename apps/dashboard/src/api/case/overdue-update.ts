import type { ConveyancingCase, Matter, Milestone } from '@keyturn/contract';
import { addDays, londonClock, londonDay } from '@keyturn/format/london-time';
import { propertyName } from '@keyturn/format/property-names';
import { addWorkingDays } from '@keyturn/format/working-days';

/** The overdue promised updates of a matter, and how to ask for them. */
export interface OverdueUpdates {
  /** Oldest first; `promisedBy` is `YYYY-MM-DD`. */
  updates: { title: string; promisedBy: string }[];
  contact: { email: string | null; phone: string };
  subject: string;
  /** The text of an email that asks for the updates. @param inWords formats a day */
  text(inWords: (day: string) => string): string;
}

/** Returns the latest day in London whose 9 am has passed. */
export const lastDayAtNine = (now: Date): string =>
  londonClock(now) < '09:00' ? addDays(londonDay(now), -1) : londonDay(now);

/**
 * Returns the overdue updates of steps under way, from 9 am of the firm’s working day after the promised one, when someone
 * can answer; null if there is none, and for a matter without work in progress.
 * @param dayAtNine @see lastDayAtNine
 */
export function overdueUpdates(
  { handlers, firm, reference }: ConveyancingCase,
  matter: Matter,
  milestones: Milestone[],
  dayAtNine: string,
): OverdueUpdates | null {
  const updates = milestones
    .filter(({ status }) => status === 'current' || status === 'blocked')
    .flatMap(({ title, next_update_by }) =>
      next_update_by && addWorkingDays(next_update_by, 1, firm.closed_on) <= dayAtNine
        ? { title, promisedBy: next_update_by }
        : [],
    )
    .sort((a, b) => a.promisedBy.localeCompare(b.promisedBy));
  if (updates.length === 0 || matter.status !== 'active') return null;
  const handler = handlers[0];
  return {
    updates,
    contact: { email: handler?.email || null, phone: handler?.phone ?? firm.phone },
    subject: `Please send an update on case ${reference}`,
    text: (inWords) =>
      [
        `Hello ${handler?.name ?? firm.name},`,
        `You promised an update on ${propertyName(matter.property)}:`,
        updates.map(({ title, promisedBy }) => `- ${title}, by ${inWords(promisedBy)}`).join('\n'),
        'Please tell me where this stands and when I’ll hear next.\n',
      ].join('\n\n'),
  };
}
