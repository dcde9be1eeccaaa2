import { beforeEach, describe, expect, test } from 'vitest';
import type { Page } from '../../navigation/router.ts';
import { keepScrollPositions } from './keep-scroll-positions.ts';

class FakeHistory {
  scrollRestoration = 'auto';
  state: unknown = null;
  replaceState(state: unknown) {
    this.state = state;
  }
}

let history: FakeHistory;
beforeEach(() => {
  history = new FakeHistory();
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
    history,
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
  keepScrollPositions(router, window as unknown as Window);
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
  test('the scroll position starts at the top of a new page, and is restored on Back and Forward', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 700;
    expect(show(pageAt('/milestones', 1))).toBe(0);
    window.scrollY = 90;
    expect(show(pageAt('/', 0), false)).toBe(700);
    expect(show(pageAt('/milestones', 1), false)).toBe(90);
    expect(window.history.scrollRestoration).toBe('manual');
  });

  test('the scroll position of a replaced history entry is not used', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    show(pageAt('/milestones', 1));
    window.scrollY = 500;
    show(pageAt('/', 0), false);
    expect(show(pageAt('/payments', 1))).toBe(0);
  });

  test('the scroll position survives a reload', () => {
    history.state = { index: 0 };
    const before = openTab();
    before.show(pageAt('/', 0));
    before.window.scrollY = 250;
    before.window.dispatchEvent(new Event('pagehide'));
    expect(history.state).toEqual({ index: 0, scroll: 250 });
    expect(openTab().show(pageAt('/', 0))).toBe(250);
    history.state = { scroll: 'x' };
    expect(openTab().show(pageAt('/', 0))).toBe(0);
  });

  test('the scroll position is kept when the same page is prepared again, and follows a fragment', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 60;
    expect(show(pageAt('/', 0))).toBe(60);
    expect(show(pageAt('/', 1, '#payments'))).toBe(400);
  });
});
