import { afterEach, expect, test } from 'vitest';
import { dismissToast, showToast, toasts } from './toast-store.ts';

afterEach(() => toasts.set([]));

test('shows the newest three messages, and one that stays until it is dismissed', () => {
  showToast('The update was not sent.', { tone: 'danger', stays: true });
  for (const text of ['1', '2', '3', '4']) showToast(text);
  const texts = () => toasts.get().map(({ text }) => text);
  expect(texts()).toEqual(['The update was not sent.', '2', '3', '4']);
  dismissToast(toasts.get()[0]?.id ?? 0);
  expect(texts()).toEqual(['2', '3', '4']);
});
