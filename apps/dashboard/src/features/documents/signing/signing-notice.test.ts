import { expect, test } from 'vitest';
import { documentFixture, matterFixture } from '../../../../fixtures/entities.ts';
import { signingNotice } from './signing-notice.ts';

const contract = documentFixture({ group: 'to-sign', title: 'Contract for the sale of 14 Alder Row' });
const beforeExchange = matterFixture({ matter_type: 'sale', exchanged_on: null, completed_on: null });
const committed = 'You are only committed when contracts are exchanged.';

test('explains that a contract commits the client only at exchange', () => {
  expect(signingNotice(contract, beforeExchange)).toContain(committed);
  expect(signingNotice({ ...contract, group: 'contract', title: 'TR1' }, beforeExchange)).toContain(
    committed,
  );
});

test('mentions exchange neither for other documents, nor after exchange, nor for a remortgage', () => {
  expect(signingNotice({ ...contract, title: 'Deed of trust' }, beforeExchange)).not.toContain(committed);
  expect(signingNotice({ ...contract, group: 'client-care' }, beforeExchange)).not.toContain(committed);
  expect(signingNotice(contract, { ...beforeExchange, exchanged_on: '2026-11-20' })).not.toContain(committed);
  expect(signingNotice(contract, { ...beforeExchange, matter_type: 'remortgage' })).not.toContain(committed);
  expect(signingNotice(contract, undefined)).not.toContain(committed);
});

test('names the other clients who have not signed yet', () => {
  const signature = { required: true, signed_at: null, signed_by: null };
  const tom = { name: 'Tom Okafor', signed_at: null };
  const grace = { name: 'Grace Okafor', signed_at: null };
  const noticeFor = (others: (typeof tom)[]) =>
    signingNotice({ ...contract, signature: { ...signature, others } }, undefined);
  expect(noticeFor([tom])).toMatch(/ Tom Okafor signs separately\.$/);
  expect(noticeFor([tom, grace])).toMatch(/ Tom Okafor and Grace Okafor sign separately\.$/);
  expect(noticeFor([])).not.toContain('separately');
});
