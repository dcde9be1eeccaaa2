import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
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
  let isLoading = false;
  let onResize = () => {};
  let isObserved = false;
  const window = Object.assign(new EventTarget(), {
    history,
    scrollY: 0,
    /** The highest position that the page’s content allows. */
    maxScroll: 10_000,
    scrollTo: (_x: number, y: number) => {
      window.scrollY = Math.min(y, window.maxScroll);
    },
    setTimeout,
    clearTimeout,
    document: {
      body: {},
      querySelector: () => (isLoading ? {} : null),
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
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(listener: () => void) {
        onResize = listener;
      }
      observe() {
        isObserved = true;
      }
      disconnect() {
        isObserved = false;
      }
    },
  );
  keepScrollPositions(router, window as unknown as Window);
  const show = (page: Page, isNew = true) => {
    place = page.place;
    if (shown) onMove(isNew);
    const before = shown;
    shown = page;
    onShown(page, before);
    return window.scrollY;
  };
  /** The page becomes as high as this allows. */
  const load = (maxScroll: number, { isComplete }: { isComplete: boolean }) => {
    window.maxScroll = maxScroll;
    isLoading = !isComplete;
    if (isObserved) onResize();
    return window.scrollY;
  };
  return { window, show, load };
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

  test('the scroll position is saved while the client scrolls, before the browser starts a reload', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 320;
    window.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(1_000);
    expect(history.state).toEqual({ scroll: 320 });
  });

  test('the scroll position is restored once the content that was there has loaded', () => {
    history.state = { index: 0, scroll: 900 };
    const { window, show, load } = openTab();
    window.maxScroll = 100;
    expect(show(pageAt('/', 0))).toBe(100);
    window.dispatchEvent(new Event('scroll'));
    vi.advanceTimersByTime(1_000);
    expect(history.state).toEqual({ index: 0, scroll: 900 });
    expect(load(1_400, { isComplete: false })).toBe(900);
    expect(load(600, { isComplete: false })).toBe(600);
    expect(load(2_000, { isComplete: true })).toBe(900);
    window.scrollY = 40;
    expect(load(2_500, { isComplete: true })).toBe(40);
  });

  test('the scroll position of a page that the client leaves while it loads is not lost', () => {
    const { window, show, load } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 700;
    show(pageAt('/milestones', 1));
    window.maxScroll = 100;
    expect(show(pageAt('/', 0), false)).toBe(100);
    show(pageAt('/milestones', 1), false);
    load(2_000, { isComplete: true });
    expect(show(pageAt('/', 0), false)).toBe(700);
  });

  test.each(['wheel', 'touchstart', 'keydown'])(
    'the scroll position of a page that is still loading is left to a client who scrolls by %s',
    (input) => {
      history.state = { index: 0, scroll: 900 };
      const { window, show, load } = openTab();
      window.maxScroll = 100;
      show(pageAt('/', 0));
      window.dispatchEvent(new Event(input));
      expect(load(2_000, { isComplete: true })).toBe(100);
    },
  );

  test('the scroll position is kept when the same page is prepared again, and follows a fragment', () => {
    const { window, show } = openTab();
    show(pageAt('/', 0));
    window.scrollY = 60;
    expect(show(pageAt('/', 0))).toBe(60);
    expect(show(pageAt('/', 1, '#payments'))).toBe(400);
  });
});
