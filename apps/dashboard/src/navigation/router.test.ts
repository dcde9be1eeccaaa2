import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NotFound, Redirect } from './outcomes.ts';
import type { Places } from './places.ts';
import { createRouter } from './router.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tab whose pages become ready when the test says so. */
function openTab(prepared: Record<string, Promise<unknown>> = {}) {
  const opened: string[] = [];
  let onMove = (_isNew: boolean) => {};
  const placeOf = (href: string) => ({
    pathname: href,
    search: '',
    hash: '',
    href,
    state: {},
    index: opened.length,
  });
  let place = placeOf('/');
  const places: Places = {
    current: () => place,
    open: (href, options) => {
      opened.push(options?.replace ? `${href} (replaces)` : href);
      place = placeOf(href);
      onMove(true);
    },
    subscribe: (listener) => {
      onMove = listener;
    },
    askBeforeLeaving: () => () => {},
  };
  const router = createRouter({
    places,
    prepare: async (target) => {
      await prepared[target.href];
      return { place: target, match: null };
    },
    preload: async () => {},
  });
  const shownPath = () => router.state().page?.place.href;
  return { router, opened, shownPath };
}

function waiting() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

describe('the router', () => {
  test('the router keeps the earlier page until the next one is ready', async () => {
    const next = waiting();
    const { router, shownPath } = openTab({ '/next': next.promise });
    await router.load();
    void router.open('/next');
    await vi.advanceTimersByTimeAsync(500);
    expect([shownPath(), router.state().isSlow, router.isLoading()]).toEqual(['/', false, true]);
    next.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect([shownPath(), router.isLoading()]).toEqual(['/next', false]);
  });

  test('the router says after a second that a page is slow, until the page is ready', async () => {
    const next = waiting();
    const { router, shownPath } = openTab({ '/next': next.promise });
    await router.load();
    void router.open('/next');
    await vi.advanceTimersByTimeAsync(1_000);
    expect([shownPath(), router.state().isSlow]).toEqual(['/', true]);
    next.resolve();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([shownPath(), router.state().isSlow]).toEqual(['/next', false]);
  });

  test('the router shows the place that the client opened last, whichever page is ready first', async () => {
    const slow = waiting();
    const { router, shownPath } = openTab({ '/slow': slow.promise });
    void router.open('/slow');
    void router.open('/fast');
    await vi.advanceTimersByTimeAsync(0);
    expect(shownPath()).toBe('/fast');
    slow.resolve();
    await vi.advanceTimersByTimeAsync(2_000);
    expect([shownPath(), router.state().isSlow]).toEqual(['/fast', false]);
  });

  test('the router follows redirects in the place of the address that leads to them, and waits for their end', async () => {
    const { router, opened, shownPath } = openTab({ '/old': Promise.reject(new Redirect('/new')) });
    void router.open('/old');
    await router.load();
    expect(opened).toEqual(['/old', '/new (replaces)']);
    expect(shownPath()).toBe('/new');
  });

  test('the router shows why a page could not be prepared', async () => {
    const { router } = openTab({ '/nowhere': Promise.reject(new NotFound('Nowhere')) });
    void router.open('/nowhere');
    await router.load();
    expect(router.state().page).toMatchObject({ match: null, error: new NotFound('Nowhere') });
  });

  test('a navigation ends when its page is rendered', async () => {
    const { router } = openTab();
    let isDone = false;
    void router.open('/next').then(() => {
      isDone = true;
    });
    await router.load();
    expect(isDone).toBe(false);
    const { page } = router.state();
    if (page) router.recordShown(page);
    await vi.advanceTimersByTimeAsync(0);
    expect([isDone, router.shown()]).toEqual([true, page]);
  });
});
