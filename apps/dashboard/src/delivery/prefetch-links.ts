import type { PrefetchQueue } from './prefetch-queue.ts';

/**
 * Gives the queue the path of every link that is in view once the page is idle, and at once of one that the client is
 * about to follow. A button that leads to a screen says so in `data-leads-to`.
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
  for (const name of ['pointerover', 'focusin', 'touchstart']) {
    const listen = ({ target }: Event) => add((target as Element | null)?.closest?.(linkSelector));
    document.addEventListener(name, listen, { passive: true });
  }

  const inView = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      add(target);
    }
  });
  const watched = new WeakSet<Element>();
  let isPlanned = false;
  const look = () => {
    isPlanned = false;
    for (const link of document.querySelectorAll('a[href]')) {
      if (watched.has(link)) continue;
      watched.add(link);
      inView.observe(link);
    }
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    whenIdle(look);
  };
  new MutationObserver(plan).observe(document.body, { childList: true, subtree: true });
  plan();
}

export type WhenIdle = (work: () => void) => unknown;

const linkSelector = 'a[href], [data-leads-to]';

/** Where a link of this tab leads within this origin; null for any other. */
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
