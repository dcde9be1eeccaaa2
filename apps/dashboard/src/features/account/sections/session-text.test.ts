import { expect, test } from 'vitest';
import { sessionFixture } from '../../../../fixtures/entities.ts';
import { lastUseText, startText } from './session-text.ts';

const now = new Date('2026-11-19T12:00:00.000Z');

test.each([
  ['2026-11-19T09:12:00.000Z', 'Signed in today at 9:12 am with your password'],
  ['2026-11-18T22:30:00.000Z', 'Signed in yesterday at 10:30 pm with your password'],
])('a session from %s reads “%s”', (created_at, text) => {
  expect(startText(sessionFixture({ created_at }), now)).toBe(text);
});

test.each([
  ['2026-11-19T12:00:30.000Z', 'Used just now'],
  ['2026-11-19T11:59:00.000Z', 'Used just now'],
  ['2026-11-19T11:58:00.000Z', 'Last used about 2 minutes ago'],
  ['2026-11-19T11:01:00.000Z', 'Last used about 59 minutes ago'],
  ['2026-11-19T10:30:00.000Z', 'Last used today at 10:30 am'],
  ['2026-11-18T23:10:00.000Z', 'Last used yesterday at 11:10 pm'],
])('a session that was used at %s reads “%s”', (last_used_at, text) => {
  expect(lastUseText(sessionFixture({ last_used_at }), now)).toBe(text);
});
