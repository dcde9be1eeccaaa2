import { documentGroups, matterTypes } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { groupName, groupsInOrder, isUsual, whatWillAppear } from './document-groups.ts';

test('every group is listed once, what is to sign first', () => {
  expect(groupsInOrder[0]).toBe('to-sign');
  expect(groupsInOrder.toSorted()).toEqual([...documentGroups].toSorted());
});

test('every group has a name of its own, in words', () => {
  const names = documentGroups.map(groupName);
  expect(new Set(names).size).toBe(documentGroups.length);
  for (const name of names) expect(name).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
});

test.each(matterTypes)('every group of a %s says in whole sentences what comes into it', (matterType) => {
  for (const group of documentGroups) expect(whatWillAppear(group, matterType)).toMatch(/^[A-Z].{20,}\.$/);
});

test('a group without a usual document says so', () => {
  for (const matterType of matterTypes) {
    for (const group of documentGroups.filter((one) => !isUsual(one, matterType))) {
      expect(whatWillAppear(group, matterType)).toContain('Nothing usually comes here');
    }
  }
  expect(isUsual('searches', 'sale')).toBe(false);
  expect(isUsual('searches', 'purchase')).toBe(true);
});
