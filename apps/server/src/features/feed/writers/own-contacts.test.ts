import { describe, expect, test } from 'vitest';
import { contactsToKeep } from './own-contacts.ts';

const phoneChangedAt = new Date('2026-11-20T09:00:00Z');
const own = {
  email: 'new@example.test',
  replacedFeedEmail: 'zoe@example.test',
  phone: '+44 7700 900456',
  replacedFeedPhone: '01632 960123',
  phoneChangedAt,
  formerPhone: '01632 960123',
};
const sent = { email: 'zoe@example.test', phone: '01632 960123' };
const noOwnPhone = { replacedFeedPhone: null, phoneChangedAt: null, formerPhone: null };

describe('contact details that a client has changed', () => {
  test.each([
    ['as before', sent],
    ['written differently', { email: 'ZOE@example.test', phone: '+44 (0)1632 960-123' }],
  ])('a client’s own contact details stay while the feed sends those that they replaced, %s', (_, again) => {
    expect(contactsToKeep(own, again)).toEqual(own);
  });

  test('a client’s own number stays while the feed still sends none', () => {
    const added = { ...own, replacedFeedPhone: null, formerPhone: null };
    expect(contactsToKeep(added, { ...sent, phone: null })).toEqual(added);
  });

  test('a removed number stays removed while the feed sends it', () => {
    const removed = { ...own, phone: null };
    expect(contactsToKeep(removed, sent)).toEqual(removed);
  });

  test.each(['0117 496 0199', null])('a newer number of the feed replaces the client’s: %s', (phone) => {
    expect(contactsToKeep(own, { ...sent, phone })).toEqual({ ...own, phone, ...noOwnPhone });
  });

  test('a number that the feed has copied from the client stays as new as it was', () => {
    const copied = contactsToKeep(own, { ...sent, phone: '07700900456' });
    expect(copied).toEqual({ ...own, phone: '07700900456', replacedFeedPhone: '07700900456' });
    // The feed has a newer number than the one that the client replaced.
    expect(contactsToKeep(copied, sent)).toMatchObject({ phone: sent.phone, ...noOwnPhone });
  });

  test('contact details of a new client are those of the feed', () => {
    expect(contactsToKeep(undefined, sent)).toEqual({ ...sent, replacedFeedEmail: null, ...noOwnPhone });
  });
});
