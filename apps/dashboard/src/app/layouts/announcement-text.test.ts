import { expect, test } from 'vitest';
import { documentFixture, milestoneFixture } from '../../../fixtures/entities.ts';
import { describeNewItems, summariseChanges } from './announcement-text.ts';

test.each([
  [[], null],
  [['Tom paid £216.00'], 'Tom paid £216.00'],
  [['Tom paid £216.00', 'Older'], 'Tom paid £216.00, and 1 more change'],
  [['Tom paid £216.00', 'Older', 'Oldest'], 'Tom paid £216.00, and 2 more changes'],
])('summarises the changes %j as %j', (summaries, text) => {
  expect(summariseChanges(summaries)).toBe(text);
});

test('announces completed steps and unread documents only', () => {
  const done = milestoneFixture({ status: 'done', title: 'Exchange' });
  expect(describeNewItems([done])).toBe('Step completed: Exchange');
  expect(describeNewItems([milestoneFixture({ status: 'current' })])).toBeNull();
  const unread = documentFixture({ read_at: null, signature: null, title: 'Draft contract' });
  expect(describeNewItems([unread])).toBe('New document: Draft contract');
  expect(describeNewItems([documentFixture({ read_at: '2026-11-20T09:00:00.000Z' })])).toBeNull();
});
