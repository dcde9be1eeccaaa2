import { isArrayOf, isInteger, isObjectOf, isString } from '@keyturn/browser/checks/check.ts';
import { clientChannel, type EventContent, type EventName } from '@keyturn/contract';
import { caseStoreFor } from '../api/case/case-store.ts';
import type { Services } from '../api/services/services.ts';
import type { RefetchBatches } from './batch-refetches.ts';
import { createDuplicateFilter } from './duplicate-filter.ts';
import { queriesForEvent } from './queries-for-event.ts';

/** The client and the case whose channels are followed. */
export interface FollowedCase {
  clientId: string;
  /** The active case; null when the client has none. */
  caseId: string | null;
}

export interface EventHandler {
  /** Handles the content of an event. Duplicates and invalid contents are ignored. */
  handle(channel: string, event: EventName, content: unknown): void;
  stop(): void;
}

/** Creates a handler that refetches what each event of the followed case names. */
export function createEventHandler(
  services: Services,
  followed: FollowedCase,
  refetches: RefetchBatches,
): EventHandler {
  const { live, maintenance } = services;
  const isNew = createDuplicateFilter();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let isStopped = false;
  const caseState = () => caseStoreFor(services).get();
  const isActiveCase = () => (caseState().conveyancingCase?.id ?? null) === followed.caseId;

  return {
    handle: (channel, event, content) => {
      if (isStopped || !isEventContent(content) || !isNew(`${channel} ${event}`, content)) return;
      if (event === 'MaintenanceChanged') {
        void maintenance.refresh();
        // Other servers may serve a cached value for up to a second.
        timers.add(setTimeout(() => void maintenance.refresh(), 1_500));
      } else if (channel === clientChannel(followed.clientId)) {
        refetches.add(queriesForEvent(event, [], caseState().generation));
      } else if (isActiveCase()) {
        refetches.add(queriesForEvent(event, content.ids, caseState().generation));
        if (event === 'MilestoneReached' || event === 'DocumentShared')
          live.set({ ...live.get(), announcement: { event, ids: content.ids } });
      }
    },
    stop: () => {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

const isEventContent = isObjectOf<EventContent>({ version: isInteger, ids: isArrayOf(isString) });
