import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAfterLoad } from './after-load.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page, and what of `work` has been done on it. */
function openPage({
  readyState,
  idles = true,
  work = () => Promise.resolve(),
}: {
  readyState: string;
  idles?: boolean;
  work?: () => Promise<unknown>;
}) {
  const page = new EventTarget();
  const idle: (() => void)[] = [];
  vi.stubGlobal('document', { readyState });
  vi.stubGlobal('window', idles ? { requestIdleCallback: (then: () => void) => idle.push(then) } : {});
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  let done = 0;
  runAfterLoad(() => {
    done += 1;
    return work();
  });
  return {
    done: () => done,
    load: () => page.dispatchEvent(new Event('load')),
    becomeIdle: () => {
      for (const then of idle.splice(0)) then();
    },
  };
}

test.each(['loading', 'interactive'])(
  'it is done once, a second after the load of a page that is %s',
  (readyState) => {
    const page = openPage({ readyState });
    vi.advanceTimersByTime(60_000);
    page.becomeIdle();
    page.load();
    vi.advanceTimersByTime(999);
    page.becomeIdle();
    expect(page.done()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(page.done()).toBe(0);
    page.becomeIdle();
    expect(page.done()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(page.done()).toBe(1);
  },
);

test('it is done on a page that has loaded before anybody asked', () => {
  const page = openPage({ readyState: 'complete' });
  vi.advanceTimersByTime(1_000);
  page.becomeIdle();
  expect(page.done()).toBe(1);
});

test('it is done where the browser does not say when it is idle, and a failure of it is heard by nobody', async () => {
  const unheard = vi.fn();
  process.on('unhandledRejection', unheard);
  const page = openPage({
    readyState: 'complete',
    idles: false,
    work: () => Promise.reject(new Error('no such file')),
  });
  await vi.advanceTimersByTimeAsync(1_001);
  vi.useRealTimers();
  await new Promise((done) => setTimeout(done, 5));
  process.off('unhandledRejection', unheard);
  expect(page.done()).toBe(1);
  expect(unheard).not.toHaveBeenCalled();
});
