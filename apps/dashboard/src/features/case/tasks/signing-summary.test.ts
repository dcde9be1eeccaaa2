import { expect, test } from 'vitest';
import { taskFixture } from '../../../../fixtures/entities.ts';
import { signingSummary } from './signing-summary.ts';

const summaryOf = (change: Parameters<typeof taskFixture>[0]) =>
  signingSummary(taskFixture({ kind: 'sign_document', ...change }));

test('says on the home page that a contract commits the client on exchange', () => {
  expect(summaryOf({ signing: 'simple', binds_on: 'exchange' })).toBe(
    'You’re committed when contracts are exchanged, not when you sign.',
  );
});

test('says on the home page that a deed is signed on paper in front of a witness', () => {
  expect(summaryOf({ signing: 'deed', binds_on: 'completion' })).toBe(
    'You sign it on paper in front of a witness, then post or bring us the original. It takes effect on completion, when we date it.',
  );
  expect(summaryOf({ signing: 'wet_ink' })).toBe(
    'You sign it on paper with a pen, then post or bring us the original.',
  );
});

test('returns no signing summary for a task that is not about signing', () => {
  expect(signingSummary(taskFixture({ kind: 'read_document' }))).toBe('');
  expect(summaryOf({ signing: 'simple' })).toBe('');
});
