import type { HistoryEntry } from '@keyturn/contract';
import { useEffect, useState } from 'react';
import { Toast } from '../../ui/toast.tsx';
import { arrivedSince } from './arrived-since.ts';

/** Says what arrived by itself while the page was open, politely. */
export function Arrivals({ entries }: { entries: HistoryEntry[] | undefined }) {
  const [known, setKnown] = useState(entries);
  const [news, setNews] = useState<HistoryEntry[]>([]);
  if (entries !== known) {
    const arrived = arrivedSince(known, entries);
    setKnown(entries);
    if (arrived.length > 0) setNews(arrived);
  }
  useEffect(() => {
    if (news.length === 0) return;
    const timer = setTimeout(() => setNews([]), 12_000);
    return () => clearTimeout(timer);
  }, [news]);
  return <Toast onDismiss={() => setNews([])}>{news[0] && wordsOf(news[0], news.length - 1)}</Toast>;
}

function wordsOf({ summary }: HistoryEntry, more: number): string {
  return more === 0 ? summary : `${summary}, and ${more} more ${more === 1 ? 'change' : 'changes'}`;
}
