import { expect, test } from 'vitest';
import { signatureFixture } from '../../../../fixtures/entities.ts';
import { signingNotice } from './signing-notice.ts';

const noticeFor = (change: Parameters<typeof signatureFixture>[0]) =>
  signingNotice({ signature: signatureFixture(change) });

test('says when a signed document commits the client, unless the firm has not specified it', () => {
  expect(noticeFor({ binds_on: 'exchange' })).toContain(
    'You’re committed when contracts are exchanged, not when you sign.',
  );
  expect(noticeFor({ binds_on: 'signature' })).toContain('It commits you once it’s signed.');
  expect(noticeFor({})).toBe(
    'Typing your name counts as signing. Deeds can’t be signed this way. If anything is unclear, call us before you sign.',
  );
});

test('names the other clients who have not signed yet', () => {
  const tom = { name: 'Tom Okafor', signed_at: null };
  const grace = { name: 'Grace Okafor', signed_at: null };
  const ann = { name: 'Ann Lee', signed_at: '2026-11-20T10:00:00.000Z' };
  expect(noticeFor({ others: [tom, ann] })).toMatch(/ Tom Okafor signs separately\.$/);
  expect(noticeFor({ others: [tom, grace] })).toMatch(/ Tom Okafor and Grace Okafor sign separately\.$/);
  expect(noticeFor({ others: [ann] })).not.toContain('separately');
});
