import { useEffect } from 'react';

let suffix = 'Desk';
let isFirstPage = true;

/** Sets the suffix of every title: the name of the product. */
export function setTitleSuffix(name: string): void {
  suffix = name;
}

/** Titles the tab with the page: “Staff – Alder & Finch Desk”. */
export function usePageTitle(title: string): { isNavigation(): boolean } {
  useEffect(() => {
    document.title = `${title} – ${suffix}`;
  }, [title]);
  return { isNavigation };
}

/** Whether a page replaces another one. The first page of a tab must not take the focus. */
function isNavigation(): boolean {
  const before = isFirstPage;
  isFirstPage = false;
  return !before;
}
