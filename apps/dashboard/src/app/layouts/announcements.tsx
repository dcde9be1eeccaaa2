import type { CaseDocument, HistoryEntry, Milestone } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useCaseState } from '../../api/case/use-case-state.ts';
import { queryKeys } from '../../api/queries/query-keys.ts';
import { useClient } from '../../api/queries/use-client.ts';
import { useIsLive, useLive } from '../../api/queries/use-live.ts';
import { useNewestHistory } from '../../api/queries/use-newest-history.ts';
import type { Announcement } from '../../api/services/live-store.ts';
import { useServices } from '../../api/services/services.ts';
import { arrivedSince } from '../../features/history/new-entries/arrived-since.ts';
import { Toast } from '../../ui/overlays/toast.tsx';
import { describeEntry, describeSharedItems, summariseChanges } from './announcement-text.ts';

/** Milliseconds between two announcements at least, and how long one stands. */
const atMostEvery = 5_000;
const standsFor = 12_000;

/** Says politely what arrived by itself and is not the client's own doing, one thing at a time. Another case starts anew. */
export function Announcements() {
  const { generation } = useCaseState();
  return <CaseAnnouncements key={generation} generation={generation} />;
}

function CaseAnnouncements({ generation }: { generation: number }) {
  const { data } = useNewestHistory(useIsLive());
  const { said, say, dismiss } = useAnnouncements();
  const client = useClient().data;
  const ownName = client && `${client.first_name} ${client.last_name}`;
  const entries = data?.data;
  const known = useRef<HistoryEntry[] | undefined>(undefined);
  const arrivedAt = useRef(0);

  const onEntries = useEffectEvent((now: HistoryEntry[] | undefined) => {
    const arrived = arrivedSince(known.current, now).filter(({ actor }) => actor !== ownName);
    known.current = now;
    if (arrived.length === 0) return;
    arrivedAt.current = Date.now();
    say(arrived.map(describeEntry));
  });
  useEffect(() => onEntries(entries), [entries]);

  const told = useLive((live) => live.announcement);
  const readTold = useReadTold(generation);
  const onTold = useEffectEvent(async (news: Announcement, isLeft: () => boolean) => {
    const words = await readTold(news).catch(() => null);
    // Most of it is in the history too, in better words.
    if (words && !isLeft() && Date.now() - arrivedAt.current > 2 * historyTakes) say([words]);
  });
  useEffect(() => {
    if (!told) return;
    let isLeft = false;
    const timer = setTimeout(() => void onTold(told, () => isLeft), historyTakes);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [told]);

  return <Toast onDismiss={dismiss}>{said}</Toast>;
}

/** Milliseconds in which the history of the same change has arrived. */
const historyTakes = 1_500;

/** Reads what an event names, and gives the words for it; null where it is no news. */
function useReadTold(generation: number): (told: Announcement) => Promise<string | null> {
  const { call } = useServices();
  const queries = useQueryClient();
  return async ({ event, ids }) => {
    if (ids.length === 0) return null;
    const found: (Milestone | CaseDocument)[] =
      event === 'MilestoneReached'
        ? await queries.fetchQuery({
            queryKey: queryKeys.milestones(generation),
            queryFn: () => call('GET /milestones', { background: true }),
          })
        : await queries.fetchQuery({
            queryKey: queryKeys.documents(generation),
            queryFn: () => call('GET /documents', { background: true }),
          });
    return describeSharedItems(found.filter(({ id }) => ids.includes(id)));
  };
}

/** What came while something was being said is said after it, together. */
function useAnnouncements() {
  const [said, setSaid] = useState<string | null>(null);
  const waiting = useRef<string[]>([]);
  const lastAt = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const end = useRef<ReturnType<typeof setTimeout>>(undefined);
  const speak = () => {
    timer.current = undefined;
    const words = summariseChanges(waiting.current.splice(0));
    if (words === null) return;
    lastAt.current = performance.now();
    setSaid(words);
    clearTimeout(end.current);
    end.current = setTimeout(() => setSaid(null), standsFor);
  };
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      clearTimeout(end.current);
    },
    [],
  );
  return {
    said,
    /** The newest first. */
    say: (summaries: string[]) => {
      waiting.current.unshift(...summaries);
      const wait = Math.max(0, lastAt.current + atMostEvery - performance.now());
      timer.current ??= setTimeout(speak, wait);
    },
    dismiss: () => setSaid(null),
  };
}
