import { expect, test } from 'vitest';
import { documentFixture, historyEntryFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { describeEntry, describeSharedItems, summariseChanges } from './announcement-text.ts';

test.each([
  [[], null],
  [['Tom paid £216.00'], 'Tom paid £216.00'],
  [['Tom paid £216.00', 'Older'], 'Tom paid £216.00, and 1 more change'],
  [['Tom paid £216.00', 'Older', 'Oldest'], 'Tom paid £216.00, and 2 more changes'],
])('of %j it says %j', (summaries, words) => {
  expect(summariseChanges(summaries)).toBe(words);
});

test('a step that is done and a document that nobody has seen are news; what was read or is planned is not', () => {
  const done = milestoneFixture({ status: 'done', title: 'Exchange' });
  expect(describeSharedItems([done])).toBe('A step was reached: Exchange');
  expect(describeSharedItems([milestoneFixture({ status: 'current' })])).toBeNull();
  const unread = documentFixture({ read_at: null, signature: null, title: 'Draft contract' });
  expect(describeSharedItems([unread])).toBe('A new document was shared: Draft contract');
  expect(describeSharedItems([documentFixture({ read_at: '2026-11-20T09:00:00.000Z' })])).toBeNull();
});

test('what somebody did is said with who did it', () => {
  const paid = historyEntryFixture({ actor: 'Tom Okafor', summary: 'Paid £216.00 for: Drainage search' });
  expect(describeEntry(paid)).toBe('Tom Okafor paid £216.00 for: Drainage search');
  const signed = historyEntryFixture({ actor: 'Tom Okafor', summary: 'Tom Okafor signed “The contract”' });
  expect(describeEntry(signed)).toBe('Tom Okafor signed “The contract”');
});
