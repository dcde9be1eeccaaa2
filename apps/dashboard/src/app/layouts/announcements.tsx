import type { CaseDocument, HistoryEntry, Milestone } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useCaseState } from '../../api/case/case-store.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useIsLive, useLive } from '../../api/queries/use-live.ts';
import { useNewestHistory } from '../../api/queries/use-newest-history.ts';
import type { Announcement } from '../../api/services/live-store.ts';
import { useServices } from '../../api/services/services.ts';
import { arrivedSince } from '../../features/history/new-entries/arrived-since.ts';
import { Toast } from '../../ui/overlays/toast.tsx';
import { describeNewItems } from './announcement-text.ts';
import { useToastQueue } from './use-toast-queue.ts';

/** How long the history entry of a change may arrive after its event, in milliseconds. */
const historyDelayMs = 1_500;

/** Announces changes that arrive while the page is open and that the client did not make. Starts again for each case. */
export function Announcements() {
  const { generation } = useCaseState();
  return <CaseAnnouncements key={generation} generation={generation} />;
}

function CaseAnnouncements({ generation }: { generation: number }) {
  const { data } = useNewestHistory(useIsLive());
  const { shownText, announce, dismiss } = useToastQueue();
  const client = useClient().data;
  const ownName = client && `${client.first_name} ${client.last_name}`;
  const entries = data?.data;
  const knownEntries = useRef<HistoryEntry[] | undefined>(undefined);
  const lastArrivalAt = useRef(0);

  const onEntries = useEffectEvent((current: HistoryEntry[] | undefined) => {
    const arrived = arrivedSince(knownEntries.current, current).filter(({ actor }) => actor !== ownName);
    knownEntries.current = current;
    if (arrived.length === 0) return;
    lastArrivalAt.current = Date.now();
    announce(arrived.map(({ summary }) => summary));
  });
  useEffect(() => onEntries(entries), [entries]);

  const liveEvent = useLive((live) => live.announcement);
  const describeEvent = useEventDescription(generation);
  const onLiveEvent = useEffectEvent(async (event: Announcement, isCancelled: () => boolean) => {
    const text = await describeEvent(event).catch(() => null);
    // A history entry that arrived at the same time has described the change better.
    const isInHistory = Date.now() - lastArrivalAt.current <= 2 * historyDelayMs;
    if (text && !isCancelled() && !isInHistory) announce([text]);
  });
  useEffect(() => {
    if (!liveEvent) return;
    let isCancelled = false;
    const timer = setTimeout(() => void onLiveEvent(liveEvent, () => isCancelled), historyDelayMs);
    return () => {
      isCancelled = true;
      clearTimeout(timer);
    };
  }, [liveEvent]);

  return <Toast onDismiss={dismiss}>{shownText}</Toast>;
}

/**
 * Returns a function that fetches what an event names and describes it, or returns null when it is not worth
 * announcing.
 */
function useEventDescription(generation: number): (event: Announcement) => Promise<string | null> {
  const { call } = useServices();
  const queries = useQueryClient();
  return async ({ event, ids }) => {
    if (ids.length === 0) return null;
    const items: (Milestone | CaseDocument)[] =
      event === 'MilestoneReached'
        ? await queries.fetchQuery({
            queryKey: queryKeys.milestones(generation),
            queryFn: () => call('GET /milestones', { background: true }),
          })
        : (
            await queries.fetchQuery({
              queryKey: queryKeys.documents(generation),
              queryFn: () => call('GET /documents', { background: true }),
            })
          ).data;
    return describeNewItems(items.filter(({ id }) => ids.includes(id)));
  };
}
