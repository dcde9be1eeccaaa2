import type { DeskClient } from '@keyturn/contract/staff';
import { expect, test } from 'vitest';
import { audienceHint, audienceOptions, audienceText, defaultAudience } from './document-audience.ts';

const [amelia, tom] = [
  { id: 'amelia', reference: 'C1', first_name: 'Amelia', last_name: 'Okafor' },
  { id: 'tom', reference: 'C2', first_name: 'Tom', last_name: 'Okafor' },
] as [DeskClient, DeskClient];
const clients = [amelia, tom];
const forTom = { id: 'tom', name: 'Tom Okafor', reference: 'C2' };

test('a document in the folder of identity and funds is the only client’s, or waits for a choice between several', () => {
  expect(defaultAudience('identity-funds', [amelia])).toBe('C1');
  expect(defaultAudience('identity-funds', clients)).toBeNull();
  expect(defaultAudience('contract', clients)).toBe('');
});

test('a client who has left the case stays a choice for the document that is for them', () => {
  const names = (of: DeskClient[]) => audienceOptions(of, forTom).map(({ name }) => name);
  expect(names(clients)).toEqual(['Everyone on the case', 'Only Amelia Okafor', 'Only Tom Okafor']);
  expect(names([amelia]).at(-1)).toBe('Only Tom Okafor, who has left the case');
  expect(audienceText(forTom, { clients })).toBe('only for Tom Okafor');
  expect(audienceText(forTom, { clients: [amelia] })).toBe('only for Tom Okafor, who has left the case');
});

test('the hint about a document for one client says what the firm must still do, and who has opened it', () => {
  const seen_by = [{ client: { id: 'tom', name: 'Tom Okafor' }, seen_at: '2026-11-20T09:00:00.000Z' }];
  expect(audienceHint('', { clients, seen_by })).toBeUndefined();
  expect(audienceHint('C1', { clients, seen_by })).toMatch(
    /^This hides it on the screen only\..* Already opened by Tom Okafor\.$/,
  );
  expect(audienceHint('C2', { clients, seen_by })).not.toContain('Already');
  expect(audienceHint(null, { clients, seen_by: [] })).toContain('report to the lender');
});
