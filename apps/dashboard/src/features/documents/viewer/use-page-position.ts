import { type RefObject, useState } from 'react';

/** The page that the client is reading, and a function that goes to another one. */
export function usePagePosition(scroller: RefObject<HTMLElement | null>) {
  const [page, setPage] = useState(1);
  return {
    page,
    onScroll: (element: HTMLElement) => setPage(visiblePage(element)),
    goToPage: (number: number) => {
      const target = pagesIn(scroller.current)[number - 1];
      // The space above the first page counts as part of it.
      if (scroller.current && target) scroller.current.scrollTop = number === 1 ? 0 : target.offsetTop - 12;
      setPage(number);
    },
  };
}

const pagesIn = (scroller: HTMLElement | null) => [
  ...(scroller?.querySelectorAll<HTMLElement>('[data-page]') ?? []),
];

/** Returns the number of the page that covers the upper third of the visible area. */
function visiblePage(scroller: HTMLElement): number {
  const pages = pagesIn(scroller);
  const isAtEnd =
    scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  if (isAtEnd) return Math.max(pages.length, 1);
  const line = scroller.scrollTop + scroller.clientHeight / 3;
  const next = pages.findIndex((page) => page.offsetTop > line);
  return next === -1 ? Math.max(pages.length, 1) : Math.max(next, 1);
}
