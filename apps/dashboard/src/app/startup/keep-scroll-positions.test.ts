import { beforeEach, describe, expect, test } from 'vitest';
import type { Page } from '../../navigation/router.ts';
import { keepScrollPositions } from './keep-scroll-positions.ts';

let stored: unknown;
beforeEach(() => {
  stored = null;
});

const pageAt = (pathname: string, index: number, hash = ''): Page => ({
  place: { pathname, search: '', hash, href: pathname + hash, state: {}, index },
  match: null,
});

function openTab() {
  let shown: Page | null = null;
  let place = pageAt('/', 0).place;
  let onMove = (_isNew: boolean) => {};
  let onShown = (_page: Page, _before: Page | null) => {};
  const window = Object.assign(new EventTarget(), {
    history: { scrollRestoration: 'auto' },
    scrollY: 0,
    scrollTo: (_x: number, y: number) => {
      window.scrollY = y;
    },
    document: {
      getElementById: (id: string) =>
        id === 'payments'
          ? {
              scrollIntoView: () => {
                window.scrollY = 400;
              },
            }
          : null,
    },
  });
  const router = {
    onMove: (listener: typeof onMove) => {
      onMove = listener;
      return () => {};
    },
    onShown: (listener: typeof onShown) => {
      onShown = listener;
      return () => {};
    },
    place: () => place,
    shown: () => shown,
  };
  const tab = {
    read: () => stored,
    write: (_name: string, value: unknown) => {
      stored = value;
    },
  };
  keepScrollPositions(
    tab as unknown as Parameters<typeof keepScrollPositions>[0],
    router,
    window as unknown as Window,
  );
  const show = (page: Page, isNew = true) => {
    place = page.place;
    if (shown) onMove(isNew);
    const before = shown;
    shown = page;
    onShown(page, before);
    return window.scrollY;
  };
  return { window, show };
}

describe('the scroll position', () => {
  test('starts at the top of a new page, and is restored on Back and Forward', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 700;
    expect(show(pageAt('/milestones', 1))).toBe(0);
    window.scrollY = 90;
    expect(show(pageAt('/', 0), false)).toBe(700);
    expect(show(pageAt('/milestones', 1), false)).toBe(90);
    expect(window.history.scrollRestoration).toBe('manual');
  });

  test('is not that of an entry which another one has replaced', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    show(pageAt('/milestones', 1));
    window.scrollY = 500;
    show(pageAt('/', 0), false);
    expect(show(pageAt('/payments', 1))).toBe(0);
  });

  test('survives a reload', () => {
    const before = openTab();
    before.show(pageAt('/', 3));
    before.window.scrollY = 250;
    before.window.dispatchEvent(new Event('pagehide'));
    expect(openTab().show(pageAt('/', 3))).toBe(250);
    stored = [['x', 1], 'y', [3]];
    expect(openTab().show(pageAt('/', 3))).toBe(0);
  });

  test('stays when the same page is prepared again, and follows a fragment', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 60;
    expect(show(pageAt('/', 0))).toBe(60);
    expect(show(pageAt('/', 1, '#payments'))).toBe(400);
  });
});
