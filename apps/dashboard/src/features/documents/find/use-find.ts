import { useEffect, useEffectEvent, useState } from 'react';
import type { OpenPdf } from '../viewer/open-pdf.ts';
import { type Found, findInText } from './find-in-text.ts';

export interface Finding {
  query: string;
  setQuery(query: string): void;
  count: number;
  /** What is found on a page, and which of it is looked at now. */
  onPage(page: number): PageFinds;
  /** The page of what is looked at now; it changes with every step. */
  current: { page: number } | undefined;
  step(direction: 1 | -1): void;
  /** "2 of 7", "Not in this document", or nothing. */
  words: string;
}

export interface PageFinds {
  found: readonly Found[];
  /** Index in `found`; -1: none on this page. */
  current: number;
}

/** Looks through all the pages of a PDF, beginning with the page that is shown. Null: nothing is looked for. */
export function useFind(pdf: OpenPdf, isOpen: boolean, pageShown: () => number): Finding {
  const [query, setQuery] = useState('');
  const [result, setResult] = useState<Result>(nothing);
  const wanted = isOpen ? query.trim() : '';

  // Where the reader is counts only when a search begins.
  const startingPage = useEffectEvent(pageShown);
  useEffect(() => {
    setResult(nothing);
    if (wanted === '') return;
    const abort = new AbortController();
    const search = async () => {
      const from = startingPage();
      const next: Result = { hits: [], current: undefined, isDone: false, hasText: false };
      for (let page = 1; page <= pdf.pages.length; page += 1) {
        const text = await pdf.textOf(page).catch(() => undefined);
        if (abort.signal.aborted) return;
        const pieces = (text?.items ?? []).flatMap((item) => ('str' in item ? [item] : []));
        next.hasText ||= pieces.some(({ str }) => str.trim() !== '');
        for (const found of findInText(pieces, wanted)) next.hits.push({ page, found });
        // A long document shows what it has; the rest is added.
        if (page % 25 === 0) setResult(withCurrent({ ...next, hits: [...next.hits] }, from));
      }
      setResult(withCurrent({ ...next, isDone: true }, from));
    };
    const timer = setTimeout(() => void search(), 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pdf, wanted]);

  const { hits, current, isDone, hasText } = result;
  return {
    query,
    setQuery,
    count: hits.length,
    current: current === undefined ? undefined : hits[current],
    onPage: (page) => {
      const own = hits.filter((hit) => hit.page === page);
      const looked = current === undefined ? undefined : hits[current];
      return { found: own.map(({ found }) => found), current: looked ? own.indexOf(looked) : -1 };
    },
    step: (direction) => {
      if (hits.length === 0) return;
      setResult((before) => ({
        ...before,
        current: ((before.current ?? 0) + direction + before.hits.length) % before.hits.length,
      }));
    },
    words: wordsOf({ wanted, count: hits.length, current, isDone, hasText }),
  };
}

interface Result {
  hits: { page: number; found: Found }[];
  /** Index in `hits`. */
  current: number | undefined;
  isDone: boolean;
  /** Whether there is any text at all: a scan has none. */
  hasText: boolean;
}

const nothing: Result = { hits: [], current: undefined, isDone: false, hasText: false };

/** Looked at first: what stands on the page that is shown, or after it. */
function withCurrent(result: Result, from: number): Result {
  if (result.hits.length === 0) return result;
  const first = result.hits.findIndex(({ page }) => page >= from);
  return { ...result, current: Math.max(first, 0) };
}

function wordsOf(state: {
  wanted: string;
  count: number;
  current: number | undefined;
  isDone: boolean;
  hasText: boolean;
}): string {
  const { wanted, count, current = 0, isDone, hasText } = state;
  if (wanted === '') return '';
  if (count > 0) return `${current + 1} of ${count}`;
  if (!isDone) return 'Looking…';
  return hasText ? 'Not in this document' : 'This is a scan without text to look through';
}
