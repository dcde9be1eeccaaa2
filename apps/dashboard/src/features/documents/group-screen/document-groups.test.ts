import { documentGroups, matterTypes } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { emptyGroupText, groupName, groupsInOrder, isUsualGroup } from './document-groups.ts';

test('lists every document group once, with documents to sign first', () => {
  expect(groupsInOrder[0]).toBe('to-sign');
  expect(groupsInOrder.toSorted()).toEqual([...documentGroups].toSorted());
});

test('gives every document group a unique name in sentence case', () => {
  const names = documentGroups.map(groupName);
  expect(new Set(names).size).toBe(documentGroups.length);
  for (const name of names) expect(name).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
});

test.each(matterTypes)('explains every empty document group of a %s in full sentences', (matterType) => {
  for (const group of documentGroups) expect(emptyGroupText(group, matterType)).toMatch(/^[A-Z].{20,}\.$/);
});

test('says that an unusual document group normally stays empty', () => {
  for (const matterType of matterTypes) {
    for (const group of documentGroups.filter((candidate) => !isUsualGroup(candidate, matterType))) {
      expect(emptyGroupText(group, matterType)).toContain('This folder usually stays empty');
    }
  }
  expect(isUsualGroup('searches', 'sale')).toBe(false);
  expect(isUsualGroup('searches', 'purchase')).toBe(true);
});
