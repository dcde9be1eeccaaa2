import { afterEach, expect, test, vi } from 'vitest';
import { toasts } from './toast-store.ts';
import { offerUndo } from './use-undo.ts';

afterEach(() => toasts.set([]));

const texts = () => toasts.get().map(({ text }) => text);

test('offers to undo a change, and reports what the undo did', async () => {
  const undo = vi.fn(async () => undefined);
  offerUndo({ text: 'Exchange marked as reached.', undo, undone: 'Exchange is open again.' });
  expect(texts()).toEqual(['Exchange marked as reached.']);
  toasts.get()[0]?.undo?.();
  await expect.poll(() => texts()).toContain('Exchange is open again.');
  expect(undo).toHaveBeenCalledTimes(1);
});

test('tells the member when a change could not be undone', async () => {
  offerUndo({ text: 'Done.', undo: () => Promise.reject(new Error('x')), undone: 'Undone.' });
  toasts.get()[0]?.undo?.();
  await expect.poll(() => texts().at(-1)).toContain('This could not be undone.');
});
