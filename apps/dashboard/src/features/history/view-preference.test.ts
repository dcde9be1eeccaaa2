import { expect, test } from 'vitest';
import { readViewPreference, saveViewPreference, type ViewPreference } from './view-preference.ts';

const defaultPreference: ViewPreference = { view: 'timeline', hidden: [] };
const storing = (text: string | null) => () => ({ getItem: () => text });

test('restores the stored view and hidden columns', () => {
  const stored = new Map<string, string>();
  const storage = () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  });
  saveViewPreference(storage, { view: 'table', hidden: ['actor', 'link'] });
  expect(readViewPreference(storage)).toEqual({ view: 'table', hidden: ['actor', 'link'] });
});

test.each([
  [null],
  [''],
  ['table'],
  ['{"view":"table"'],
  ['[]'],
  ['{"view":"cards","hidden":[]}'],
  ['{"view":"table","hidden":"actor"}'],
  ['{"view":"table","hidden":["salary"]}'],
  ['{"view":"table","hidden":["when","category","actor","summary","link"]}'],
])('uses the default view when %j is stored', (text) => {
  expect(readViewPreference(storing(text))).toEqual(defaultPreference);
});

test('uses the default view when the browser blocks storage', () => {
  const blocked = () => {
    throw new DOMException('closed', 'SecurityError');
  };
  expect(readViewPreference(blocked)).toEqual(defaultPreference);
  expect(() => saveViewPreference(blocked, defaultPreference)).not.toThrow();
});
