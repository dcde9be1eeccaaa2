import { describe, expect, test } from 'vitest';
import { caseInList, findNextCase, rememberCaseList } from './case-list.ts';

function createStorage(entries: Record<string, string> = {}) {
  const stored = new Map(Object.entries(entries));
  return () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
}
const rhian = 'rhian';

describe('the list of cases that a member works through', () => {
  test('a member’s list of cases leads from each case to the next one, once for each case, and ends with the last', () => {
    const storage = createStorage();
    rememberCaseList('today', { memberId: rhian, caseIds: ['a', 'b', 'a', 'c'] }, storage);
    const next = (caseId: string) => findNextCase('today', { memberId: rhian, caseId }, storage);
    expect([next('a'), next('b'), next('c'), next('x')]).toEqual(['b', 'c', null, null]);
  });

  test('a member’s list of cases is unknown to another member, under another name and without a name', () => {
    const storage = createStorage();
    rememberCaseList('today', { memberId: rhian, caseIds: ['a', 'b'] }, storage);
    expect(findNextCase('today', { memberId: 'joel', caseId: 'a' }, storage)).toBeNull();
    expect(findNextCase('cases', { memberId: rhian, caseId: 'a' }, storage)).toBeNull();
    expect(findNextCase(null, { memberId: rhian, caseId: 'a' }, storage)).toBeNull();
  });

  test.each(['', '{', 'null', '[]', '{"memberId":"rhian"}', '{"memberId":"rhian","caseIds":[1]}'])(
    'a list of cases that is stored as %j leads nowhere',
    (text) => {
      const storage = createStorage({ 'keyturn-desk.list.today': text });
      expect(findNextCase('today', { memberId: rhian, caseId: 'a' }, storage)).toBeNull();
    },
  );

  test('a member’s list of cases works without storage', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    rememberCaseList('today', { memberId: rhian, caseIds: ['a'] }, blocked);
    expect(findNextCase('today', { memberId: rhian, caseId: 'a' }, blocked)).toBeNull();
  });

  test('a member’s list of cases keeps at most 500 cases', () => {
    const storage = createStorage();
    const caseIds = Array.from({ length: 501 }, (_, index) => `${index}`);
    rememberCaseList('cases', { memberId: rhian, caseIds }, storage);
    expect(findNextCase('cases', { memberId: rhian, caseId: '498' }, storage)).toBe('499');
    expect(findNextCase('cases', { memberId: rhian, caseId: '499' }, storage)).toBeNull();
  });
});

test('the address of a case in a list names the list', () => {
  expect(caseInList('a', 'my cases')).toBe('/cases/a?list=my%20cases');
});
