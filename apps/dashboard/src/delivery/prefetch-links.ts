import type { PrefetchQueue } from './prefetch-queue.ts';

/**
 * Queues the paths of links for prefetching: links in view once the page is idle, and a link under the pointer, finger
 * or keyboard focus at once. A button that opens a screen names its path in `data-leads-to`.
 */
export function prefetchLinks(
  queue: PrefetchQueue,
  { document, location }: Window,
  whenIdle: WhenIdle,
): void {
  const add = (target: Element | null | undefined) => {
    const path = target && inAppPathOf(target, location);
    if (path) queue.add(path);
  };
  for (const eventName of ['pointerover', 'focusin', 'touchstart']) {
    const addTarget = ({ target }: Event) => add((target as Element | null)?.closest?.(linkSelector));
    document.addEventListener(eventName, addTarget, { passive: true });
  }

  const inView = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      add(target);
    }
  });
  const observed = new WeakSet<Element>();
  let isScheduled = false;
  const observeNewLinks = () => {
    isScheduled = false;
    for (const link of document.querySelectorAll('a[href]')) {
      if (observed.has(link)) continue;
      observed.add(link);
      inView.observe(link);
    }
  };
  const schedule = () => {
    if (isScheduled) return;
    isScheduled = true;
    whenIdle(observeNewLinks);
  };
  new MutationObserver(schedule).observe(document.body, { childList: true, subtree: true });
  schedule();
}

export type WhenIdle = (work: () => void) => unknown;

const linkSelector = 'a[href], [data-leads-to]';

/** Returns the path that a link opens in this tab and on this origin; null for any other link. */
export function inAppPathOf(
  link: Element,
  { origin, href }: Pick<Location, 'origin' | 'href'>,
): string | null {
  const target = link.getAttribute('target');
  if ((target && target !== '_self') || link.hasAttribute('download')) return null;
  try {
    const url = new URL(link.getAttribute('data-leads-to') ?? link.getAttribute('href') ?? '', href);
    return url.origin === origin ? url.pathname : null;
  } catch {
    return null;
  }
}
