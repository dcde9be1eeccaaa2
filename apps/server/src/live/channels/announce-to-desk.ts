import { deskChannel, deskEvent } from '@keyturn/contract/staff';
import type { StoredEvent } from './events-store.ts';

/** Announces to the desk which cases have changed. */
export interface DeskAnnouncer {
  /** Collects the cases of these events. Those within a fifth of a second are announced together. */
  note(events: readonly StoredEvent[]): void;
}

/**
 * Creates an announcer. An import changes thousands of cases in a second: the desk is notified in a few events, and
 * fetches only what it shows.
 */
export function createDeskAnnouncer(
  publish: (event: StoredEvent) => void,
  { announceEvery = 200 }: { announceEvery?: number } = {},
): DeskAnnouncer {
  let noted: StoredEvent | null = null;
  const announce = () => {
    if (noted) publish(noted);
    noted = null;
  };
  return {
    note: (events) => {
      const isWaiting = noted !== null;
      noted = toDeskEvent(noted ? [noted, ...events] : events);
      if (noted && !isWaiting) setTimeout(announce, announceEvery).unref();
    },
  };
}

/** The maximum number of ids; with more cases, the desk fetches everything that it shows. */
const maxCases = 50;

/**
 * Combines events of cases into one of the desk.
 * @returns null if none of them is of a case or of the desk
 */
export function toDeskEvent(events: readonly StoredEvent[]): StoredEvent | null {
  const cases = new Set<string>();
  let newest: StoredEvent | null = null;
  let isAnything = false;
  for (const event of events) {
    const caseId = /^private-case\.(.+)$/.exec(event.channel)?.[1];
    if (caseId === undefined && event.channel !== deskChannel) continue;
    if (caseId !== undefined) cases.add(caseId);
    else if (event.ids.length === 0) isAnything = true;
    else for (const id of event.ids) cases.add(id);
    if (!newest || event.id > newest.id) newest = event;
  }
  if (!newest) return null;
  const ids = isAnything || cases.size > maxCases ? [] : [...cases];
  return { ...newest, channel: deskChannel, event: deskEvent, ids, exceptSocket: null };
}
