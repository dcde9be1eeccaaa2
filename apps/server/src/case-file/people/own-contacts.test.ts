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
  recentPhones: ['+44 7700 900456'],
};
const sent = { email: 'zoe@example.test', phone: '01632 960123' };
const noOwnPhone = { replacedFeedPhone: null, phoneChangedAt: null, formerPhone: null, recentPhones: [] };
const now = new Date('2026-11-27T08:59:59Z');
const aWeekLater = new Date('2026-11-27T09:00:00Z');

describe('contact details that a client has changed', () => {
  test.each([
    ['as before', sent],
    ['written differently', { email: 'ZOE@example.test', phone: '+44 (0)1632 960-123' }],
  ])('a client’s own contact details stay while the feed sends those that they replaced, %s', (_, again) => {
    expect(contactsToKeep(own, again, now)).toEqual(own);
  });

  test('a client’s own number stays while the feed still sends none', () => {
    const added = { ...own, replacedFeedPhone: null, formerPhone: null };
    expect(contactsToKeep(added, { ...sent, phone: null }, now)).toEqual(added);
  });

  test('a removed number stays removed while the feed sends it', () => {
    const removed = { ...own, phone: null };
    expect(contactsToKeep(removed, sent, now)).toEqual(removed);
  });

  test.each(['0117 496 0199', null])('a newer number of the feed replaces the client’s: %s', (phone) => {
    expect(contactsToKeep(own, { ...sent, phone }, now)).toEqual({ ...own, phone, ...noOwnPhone });
  });

  test('a number that the feed has copied from the client stays as new as it was', () => {
    const copied = contactsToKeep(own, { ...sent, phone: '07700900456' }, now);
    expect(copied).toEqual({ ...own, replacedFeedPhone: '07700900456' });
    // The feed has a newer number than the one that the client replaced.
    expect(contactsToKeep(copied, sent, now)).toMatchObject({ phone: sent.phone, ...noOwnPhone });
  });

  test('a number that the feed has copied without its extension stays as new as it was', () => {
    const withExtension = { ...own, phone: '+447700900456;ext=1', recentPhones: ['+447700900456;ext=1'] };
    const copy = '+447700900456';
    expect(contactsToKeep(withExtension, { ...sent, phone: copy }, now)).toEqual({
      ...withExtension,
      replacedFeedPhone: copy,
    });
    const changedAgain = { ...withExtension, phone: '+447700900789' };
    expect(contactsToKeep(changedAgain, { ...sent, phone: copy }, now)).toEqual({
      ...changedAgain,
      replacedFeedPhone: copy,
    });
  });

  test.each([
    ['another number', '07700 900789'],
    ['the number on file', sent.phone],
    ['no number', null],
  ])(
    'a late copy of a number does not count if the client has changed it again for a week: %s',
    (_, phone) => {
      const changedAgain = { ...own, phone, recentPhones: ['+44 7700 900456', phone] };
      for (const copy of ['07700 900456', '00447700900456', '7700900456']) {
        const copied = contactsToKeep(changedAgain, { ...sent, phone: copy }, now);
        expect(copied).toEqual({ ...changedAgain, replacedFeedPhone: copy });
        // The firm’s system sends the number on file again.
        expect(contactsToKeep(copied, sent, now)).toMatchObject({ phone: sent.phone });
      }
      const late = contactsToKeep(changedAgain, { ...sent, phone: '07700 900456' }, aWeekLater);
      expect(late).toMatchObject({ phone: '07700 900456', ...noOwnPhone });
    },
  );

  test('a late copy of a removal does not hide the number on file', () => {
    const addedAgain = { ...own, recentPhones: [null, own.phone] };
    expect(contactsToKeep(addedAgain, { ...sent, phone: null }, now)).toEqual({
      ...addedAgain,
      replacedFeedPhone: null,
    });
  });

  test('contact details of a new client are those of the feed', () => {
    expect(contactsToKeep(undefined, sent, now)).toEqual({ ...sent, replacedFeedEmail: null, ...noOwnPhone });
  });
});
