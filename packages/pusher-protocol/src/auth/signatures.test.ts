import { describe, expect, test } from 'vitest';
import { testApp as app } from '../testing/fake-sockets.ts';
import { isValidChannelAuth, isValidUserAuth, signChannel, signUser } from './signatures.ts';

const socketId = '123.456';
const privateSignature = 'de1ea39254200260290c6c11d55a65ed1a920198e4fcd76856bc3c03ccdf6816';
const channelData = '{"user_id":"7","user_info":{"name":"A"}}';

describe('known signatures', () => {
  test('protocol 18: signs a private channel like Pusher', () => {
    expect(signChannel(app, socketId, 'private-case.9')).toEqual({ auth: `key:${privateSignature}` });
    expect(isValidChannelAuth(app, `key:${privateSignature}`, socketId, 'private-case.9', null)).toBe(true);
  });

  test('protocol 23: signs a presence channel like Pusher', () => {
    const auth = 'key:ba063df3cbacd8069ac0bea86a5aab07b07d5b7d8c3a4ab3e81fad626715004e';
    expect(signChannel(app, socketId, 'presence-room', channelData)).toEqual({
      auth,
      channel_data: channelData,
    });
    expect(isValidChannelAuth(app, auth, socketId, 'presence-room', channelData)).toBe(true);
  });

  test('protocol 28: signs a sign-in like Pusher', () => {
    const auth = 'key:fc90a9944d1344d50a63a8f080c76be8e4d9918f68a65a3adff148ad2239cdaf';
    const userData = '{"id":"7","name":"A"}';
    expect(signUser(app, socketId, userData)).toEqual({ auth, user_data: userData });
    expect(isValidUserAuth(app, auth, socketId, userData)).toBe(true);
  });
});

describe('rejected input', () => {
  test('does not sign a "channel" whose signature would sign in another user', () => {
    expect(() => signChannel(app, socketId, ':user::{"id":"7","name":"A"}')).toThrow(RangeError);
    expect(() => signChannel(app, `${socketId}:`, 'private-a')).toThrow(RangeError);
  });

  test.each(['case.9', '#server-to-user-7', 'private-encrypted-a', 'private-a:b', 'private-a ', ''])(
    'does not sign the channel %j',
    (channel) => {
      expect(() => signChannel(app, socketId, channel)).toThrow(RangeError);
    },
  );

  test.each(['', '1', '1.', '.1', '1.2.3', '-1.2', '1.2:presence-a', ' 1.2', '1.2\n', 'a.b', '١.٢'])(
    'does not sign for the invalid socket id %j',
    (id) => {
      expect(() => signChannel(app, id, 'private-a')).toThrow(RangeError);
      expect(() => signUser(app, id, '{"id":"7"}')).toThrow(RangeError);
    },
  );
});

test.each([
  ['empty', ''],
  ['without a key', privateSignature],
  ['with another key', `kex:${privateSignature}`],
  ['with an empty key', `:${privateSignature}`],
  ['cut short', `key:${privateSignature.slice(0, -1)}`],
  ['too long', `key:${privateSignature}0`],
  ['in upper case', `key:${privateSignature.toUpperCase()}`],
  ['with a space', `key: ${privateSignature}`],
  ['with other letters', `key:${'é'.repeat(64)}`],
  ['changed in one digit', `key:${privateSignature.replace('d', 'e')}`],
  ['repeated', `key:${privateSignature}:${privateSignature}`],
])('protocol 19: rejects a signature that is %s', (_, auth) => {
  expect(isValidChannelAuth(app, auth, socketId, 'private-case.9', null)).toBe(false);
});

test('protocol 19: a signature is valid for one socket, one channel and one secret only', () => {
  const { auth } = signChannel(app, socketId, 'private-case.9');
  expect(isValidChannelAuth(app, auth, '123.457', 'private-case.9', null)).toBe(false);
  expect(isValidChannelAuth(app, auth, socketId, 'private-case.8', null)).toBe(false);
  expect(isValidChannelAuth(app, auth, socketId, 'private-case.9', '{}')).toBe(false);
  expect(isValidChannelAuth({ ...app, secret: 'sex' }, auth, socketId, 'private-case.9', null)).toBe(false);
  expect(isValidUserAuth(app, auth, socketId, 'private-case.9')).toBe(false);
});
