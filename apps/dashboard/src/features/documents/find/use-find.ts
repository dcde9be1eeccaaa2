import { useEffect, useEffectEvent, useState } from 'react';
import type { OpenPdf } from '../viewer/open-pdf.ts';
import { findInText, type TextMatch } from './find-in-text.ts';

export interface DocumentFind {
  query: string;
  setQuery(query: string): void;
  /** The number of matches in the whole document. */
  count: number;
  matchesOnPage(page: number): PageMatches;
  /** Undefined without matches. */
  currentMatch: { page: number } | undefined;
  /** Moves to the next or previous match, wrapping around at the ends. */
  step(direction: 1 | -1): void;
  /** "2 of 7", "Not found in this document", or empty without a query. */
  status: string;
}

export interface PageMatches {
  found: readonly TextMatch[];
  /** The index of the current match in `found`; -1 when it is on another page. */
  current: number;
}

/** Searches the text of all pages of a PDF while the find bar is open, starting from the visible page. */
export function useFind(pdf: OpenPdf, isOpen: boolean, visiblePage: () => number): DocumentFind {
  const [query, setQuery] = useState('');
  const [result, setResult] = useState<Result>(noResult);
  const searchText = isOpen ? query.trim() : '';

  // An effect event, because scrolling to another page must not restart the search.
  const getStartPage = useEffectEvent(visiblePage);
  useEffect(() => {
    setResult(noResult);
    if (searchText === '') return;
    const abort = new AbortController();
    const search = async () => {
      const startPage = getStartPage();
      const next: Result = { matches: [], current: undefined, isDone: false, hasText: false };
      for (let page = 1; page <= pdf.pages.length; page += 1) {
        const text = await pdf.readText(page).catch(() => undefined);
        if (abort.signal.aborted) return;
        const pieces = text?.pieces ?? [];
        next.hasText ||= pieces.some(({ str }) => str.trim() !== '');
        for (const match of findInText(pieces, searchText)) next.matches.push({ page, match });
        // A long document shows its first matches while the rest is searched.
        if (page % 25 === 0) setResult(withCurrent({ ...next, matches: [...next.matches] }, startPage));
      }
      setResult(withCurrent({ ...next, isDone: true }, startPage));
    };
    const timer = setTimeout(() => void search(), 150);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [pdf, searchText]);

  const { matches, current } = result;
  const currentMatch = current === undefined ? undefined : matches[current];
  return {
    query,
    setQuery,
    count: matches.length,
    currentMatch,
    matchesOnPage: (page) => {
      const onPage = matches.filter((candidate) => candidate.page === page);
      return {
        found: onPage.map(({ match }) => match),
        current: currentMatch ? onPage.indexOf(currentMatch) : -1,
      };
    },
    step: (direction) => {
      if (matches.length === 0) return;
      setResult((previous) => {
        const { length } = previous.matches;
        return { ...previous, current: ((previous.current ?? 0) + direction + length) % length };
      });
    },
    status: statusText(searchText, result),
  };
}

interface Result {
  matches: { page: number; match: TextMatch }[];
  /** The index of the current match in `matches`. */
  current: number | undefined;
  isDone: boolean;
  /** Whether the document contains any text; a scan has none. */
  hasText: boolean;
}

const noResult: Result = { matches: [], current: undefined, isDone: false, hasText: false };

/** Makes the first match on or after the start page the current one. */
function withCurrent(result: Result, startPage: number): Result {
  if (result.matches.length === 0) return result;
  const first = result.matches.findIndex(({ page }) => page >= startPage);
  return { ...result, current: Math.max(first, 0) };
}

function statusText(searchText: string, { matches, current = 0, isDone, hasText }: Result): string {
  if (searchText === '') return '';
  if (matches.length > 0) return `${current + 1} of ${matches.length}`;
  if (!isDone) return 'Searching…';
  return hasText ? 'Not found in this document' : 'This is a scan, so its text can’t be searched';
}
