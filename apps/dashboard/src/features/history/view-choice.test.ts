import { describe, expect, test } from 'vitest';
import { keepViewChoice, readViewChoice, type ViewChoice } from './view-choice.ts';

const usual: ViewChoice = { view: 'timeline', hidden: [] };
const holding = (text: string | null) => () => ({ getItem: () => text });

describe('the choice of view', () => {
  test('is found again as it was kept', () => {
    const kept = new Map<string, string>();
    const storage = () => ({
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    });
    keepViewChoice(storage, { view: 'table', hidden: ['actor', 'link'] });
    expect(readViewChoice(storage)).toEqual({ view: 'table', hidden: ['actor', 'link'] });
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
  ])('is the usual one where %j is found', (text) => {
    expect(readViewChoice(holding(text))).toEqual(usual);
  });

  test('does without a storage', () => {
    const closed = () => {
      throw new DOMException('closed', 'SecurityError');
    };
    expect(readViewChoice(closed)).toEqual(usual);
    expect(() => keepViewChoice(closed, usual)).not.toThrow();
  });
});
