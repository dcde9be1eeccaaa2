import { documentGroups } from '@keyturn/contract';
import { expect, test } from 'vitest';
import { folderOf, groupsInOrder, isUsualGroup } from './document-groups.ts';

test('lists every document group once, with documents to sign first', () => {
  expect(groupsInOrder[0]).toBe('to-sign');
  expect(groupsInOrder.toSorted()).toEqual([...documentGroups].toSorted());
});

test('finds the folder of the matter’s own type', () => {
  const folder = { group: 'title', name: 'Title and plan', empty_text: 'Nothing yet.' } as const;
  const folders = [
    { ...folder, matter_type: 'sale' as const },
    { ...folder, matter_type: 'purchase' as const, name: 'Title' },
  ];
  expect(folderOf(folders, 'purchase', 'title')?.name).toBe('Title');
  expect(folderOf(folders, 'remortgage', 'title')).toBeUndefined();
  expect(folderOf(undefined, 'sale', 'title')).toBeUndefined();
});

test('knows which folders usually stay empty', () => {
  expect(isUsualGroup('searches', 'sale')).toBe(false);
  expect(isUsualGroup('searches', 'purchase')).toBe(true);
});
