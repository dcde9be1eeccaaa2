import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runAfterLoad } from './after-load.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens a page that counts how often the work ran. */
function openPage({
  readyState,
  hasIdleCallback = true,
  work = () => Promise.resolve(),
}: {
  readyState: string;
  hasIdleCallback?: boolean;
  work?: () => Promise<unknown>;
}) {
  const page = new EventTarget();
  const idle: (() => void)[] = [];
  vi.stubGlobal('document', { readyState });
  vi.stubGlobal(
    'window',
    hasIdleCallback ? { requestIdleCallback: (then: () => void) => idle.push(then) } : {},
  );
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  let runs = 0;
  runAfterLoad(() => {
    runs += 1;
    return work();
  });
  return {
    runs: () => runs,
    load: () => page.dispatchEvent(new Event('load')),
    becomeIdle: () => {
      for (const then of idle.splice(0)) then();
    },
  };
}

test.each(['loading', 'interactive'])(
  'runs deferred work once, a second after a page that is %s has loaded',
  (readyState) => {
    const page = openPage({ readyState });
    vi.advanceTimersByTime(60_000);
    page.becomeIdle();
    page.load();
    vi.advanceTimersByTime(999);
    page.becomeIdle();
    expect(page.runs()).toBe(0);
    vi.advanceTimersByTime(1);
    expect(page.runs()).toBe(0);
    page.becomeIdle();
    expect(page.runs()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(page.runs()).toBe(1);
  },
);

test('runs deferred work on a page that has loaded already', () => {
  const page = openPage({ readyState: 'complete' });
  vi.advanceTimersByTime(1_000);
  page.becomeIdle();
  expect(page.runs()).toBe(1);
});

test('runs deferred work without requestIdleCallback and ignores its failure', async () => {
  const onUnhandled = vi.fn();
  process.on('unhandledRejection', onUnhandled);
  const page = openPage({
    readyState: 'complete',
    hasIdleCallback: false,
    work: () => Promise.reject(new Error('no such file')),
  });
  await vi.advanceTimersByTimeAsync(1_001);
  vi.useRealTimers();
  await new Promise((done) => setTimeout(done, 5));
  process.off('unhandledRejection', onUnhandled);
  expect(page.runs()).toBe(1);
  expect(onUnhandled).not.toHaveBeenCalled();
});
