import { previewScreen, unavailableReason } from './preview-screens.ts';

/**
 * Keeps links inside the preview: a link to a screen that the preview does not show reports the reason instead of
 * opening it, and no link opens the clients’ dashboard in another tab.
 * @param onUnavailable receives the reason
 * @returns a function that stops it
 */
export function guardLinks(document: Document, onUnavailable: (reason: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.<HTMLAnchorElement>('a[href]');
    const reason = link && reasonOf(link);
    const opensTab = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || reason === undefined || (reason === null && !opensTab)) return;
    event.preventDefault();
    event.stopPropagation();
    onUnavailable(reason ?? 'This is a preview. Its links open here only.');
  };
  const mark = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
      const reason = reasonOf(link) ?? null;
      if (reason === null || link.title === reason) continue;
      link.title = reason;
      link.setAttribute('aria-disabled', 'true');
    }
  };
  const observer = new MutationObserver(mark);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['href'] });
  document.addEventListener('click', onClick, true);
  document.addEventListener('auxclick', onClick, true);
  return () => {
    observer.disconnect();
    document.removeEventListener('click', onClick, true);
    document.removeEventListener('auxclick', onClick, true);
  };
}

/** @returns null for a screen of the preview; undefined for what is not a page of the dashboard, such as a number to call */
function reasonOf(link: HTMLAnchorElement): string | null | undefined {
  if (link.origin !== link.ownerDocument.location.origin || link.getAttribute('href')?.startsWith('#'))
    return undefined;
  return previewScreen(link.pathname) ? null : unavailableReason(link.pathname);
}
