import { expect, test, vi } from 'vitest';
import { mayReload, PageNotLoaded, reloadOnce } from './lazy-page.tsx';

function tab() {
  const stored = new Map<string, string>();
  return () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
}

test('reloads a tab whose chunk is gone once a minute at most', () => {
  const storage = tab();
  const now = Date.parse('2026-11-23T09:00:00Z');
  expect(mayReload(now, storage)).toBe(true);
  expect(mayReload(now + 59_000, storage)).toBe(false);
  expect(mayReload(now + 61_000, storage)).toBe(true);
});

test('leaves the tab as it is while the server cannot be reached, and reloads it afterwards', async () => {
  const storage = tab();
  const reload = vi.fn();
  const attempt = (isReachable: boolean) =>
    reloadOnce({ isReachable: async () => isReachable, reload, storage });
  await expect(attempt(false)).rejects.toThrow(PageNotLoaded);
  expect(reload).not.toHaveBeenCalled();
  void attempt(true);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  await expect(attempt(true)).rejects.toThrow(PageNotLoaded);
});

test('reloads again after the clock was set back', () => {
  const storage = tab();
  expect(mayReload(Date.parse('2026-11-23T09:00:00Z'), storage)).toBe(true);
  expect(mayReload(Date.parse('2026-11-22T09:00:00Z'), storage)).toBe(true);
});

test('never reloads a tab without storage, because it could do so for ever', () => {
  const blocked = () => {
    throw new Error('SecurityError');
  };
  expect(mayReload(Date.now(), blocked)).toBe(false);
});
