import { expect, test } from 'vitest';
import { placeInList, rememberPlace, returnsToPlace } from './place-in-list.ts';

function openTab(state: unknown = null) {
  const tab = {
    state,
    replaceState: (next: unknown) => {
      tab.state = next;
    },
  };
  return tab;
}

test('a list that a member goes back to knows the row and the scroll position, and no other list does', () => {
  const tab = openTab({ other: 1 });
  const place = { list: 'Cases', row: 'c-7', scrolled: 1_200 };
  rememberPlace(place, tab);
  expect(placeInList('Cases', tab)).toEqual(place);
  expect(placeInList('Today', tab)).toBeNull();
  expect(returnsToPlace(tab)).toBe(true);
  expect(tab.state).toMatchObject({ other: 1 });
});

test.each([null, 'text', { place: { list: 'Cases' } }])(
  'a list that is opened starts at its top, whatever the tab’s history has: %j',
  (state) => {
    expect(placeInList('Cases', openTab(state))).toBeNull();
    expect(returnsToPlace(openTab(state))).toBe(false);
  },
);
