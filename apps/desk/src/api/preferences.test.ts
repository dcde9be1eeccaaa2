import { themes } from '@keyturn/ui/base/theme.ts';
import { describe, expect, test } from 'vitest';
import { openChoice, shortcutChoices } from './preferences.ts';

function storageWith(entries: Record<string, string>) {
  const stored = new Map(Object.entries(entries));
  return {
    stored,
    storage: () => ({
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    }),
  };
}

describe('a choice that the browser stores', () => {
  test('a choice that the browser stores is read again on the next visit, and the default is not stored', () => {
    const { storage, stored } = storageWith({});
    openChoice('shortcuts', shortcutChoices, storage).set('off');
    expect(openChoice('shortcuts', shortcutChoices, storage).get()).toBe('off');
    openChoice('shortcuts', shortcutChoices, storage).set('on');
    expect(stored.size).toBe(0);
  });

  test.each(['', 'OFF', '{"value":"off"}', '__proto__', 'x'.repeat(100_000)])(
    'a choice that the browser stores falls back to the default for the stored value %s',
    (value) => {
      const { storage } = storageWith({ 'keyturn-desk.theme': value });
      expect(openChoice('theme', themes, storage).get()).toBe('system');
    },
  );

  test('a choice lasts until the page is closed if the browser blocks storage', () => {
    const blocked = () => {
      throw new Error('SecurityError');
    };
    const choice = openChoice('theme', themes, blocked);
    expect(choice.get()).toBe('system');
    choice.set('dark');
    expect(choice.get()).toBe('dark');
  });
});
