import { expect, test } from 'vitest';
import { entryLink } from './entry-link.ts';

test.each([
  ['/documents/0f6c3c1e-8f4e-4a8e-9f5d-0a4a0d8f2b11', 'See the document'],
  ['/payments', 'See your payments'],
  ['/milestones', 'See the milestones'],
  ['/', 'See your case'],
])('labels a history entry’s link to %s with "%s"', (link, label) => {
  expect(entryLink(link)).toEqual({ path: link, label });
});

test.each([
  [null],
  ['//elsewhere.example'],
  ['/\\elsewhere.example'],
  ['https://elsewhere.example'],
  ['javascript:alert(1)'],
  [''],
])('ignores a history entry’s link %j', (link) => {
  expect(entryLink(link)).toBeNull();
});
