import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testApp as app } from '../testing/fake-sockets.ts';
import { authoriseChannel, authoriseUser, type ChannelDecision } from './auth-endpoints.ts';
import { isValidChannelAuth, isValidUserAuth } from './signatures.ts';

const form = (fields: Record<string, string>) => ({
  contentType: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
});
const json = (value: unknown) => ({
  contentType: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});
const request = { socket_id: '123.456', channel_name: 'private-case.9' };
const failIfCalled = () => {
  throw new Error('decide must not be called');
};

describe('authoriseChannel', () => {
  test.each([
    ['a form, as sent by pusher-js', form(request)],
    ['JSON, as sent by custom authorisers', json(request)],
  ])('protocol 18: signs an allowed private channel, requested with %s', async (_, body) => {
    const decided: string[] = [];
    const response = await authoriseChannel(app, body, (channel) => {
      decided.push(channel);
      return true;
    });
    expect(response).toEqual({
      status: 200,
      socketId: '123.456',
      body: '{"auth":"key:de1ea39254200260290c6c11d55a65ed1a920198e4fcd76856bc3c03ccdf6816"}',
    });
    expect(decided).toEqual(['private-case.9']);
  });

  test('protocol 23: signs a presence channel together with the user’s details', async () => {
    const body = json({ ...request, channel_name: 'presence-case.9' });
    const response = await authoriseChannel(app, body, async () => ({
      userId: '7',
      userInfo: { name: 'A' },
    }));
    const { auth, channel_data } = JSON.parse(response.body) as { auth: string; channel_data: string };
    expect(channel_data).toBe('{"user_id":"7","user_info":{"name":"A"}}');
    expect(isValidChannelAuth(app, auth, '123.456', 'presence-case.9', channel_data)).toBe(true);
  });

  test('protocol 20: rejects a channel with 403 when the decision is false', async () => {
    expect(await authoriseChannel(app, form(request), () => false)).toMatchObject({ status: 403 });
  });

  test.each(['case.9', '#server-to-user-7', 'private-encrypted-a', 'cache-a', 'presence-cache-a'])(
    'rejects %s with 403, because its kind is never signed',
    async (channel_name) => {
      expect(await authoriseChannel(app, json({ ...request, channel_name }), failIfCalled)).toMatchObject({
        status: 403,
      });
    },
  );

  test.each([
    { ...request, channel_name: ':user::{"id":"7","name":"A"}' },
    { ...request, channel_name: 'private-a:b' },
    { ...request, channel_name: '' },
    { ...request, channel_name: 'private-'.padEnd(201, 'a') },
    { ...request, channel_name: [] },
    { ...request, channel_name: [7] },
    { ...request, channel_name: [['private-a']] },
    { ...request, channel_name: Array.from({ length: 101 }, (_, index) => `private-${index}`) },
    { ...request, socket_id: '1' },
    { ...request, socket_id: '1.2:private-a' },
    { ...request, socket_id: 1.2 },
    { channel_name: 'private-a' },
    { socket_id: '1.2' },
    [],
    null,
  ])('rejects an invalid or ambiguous auth request with 400: %j', async (fields) => {
    expect(await authoriseChannel(app, json(fields), failIfCalled)).toMatchObject({ status: 400 });
  });

  test('rejects auth requests with another content type or a duplicate field with 400', async () => {
    const text = JSON.stringify(request);
    for (const contentType of ['text/plain', undefined, '']) {
      expect(await authoriseChannel(app, { contentType, text }, failIfCalled)).toMatchObject({ status: 400 });
    }
    const duplicate = { ...form(request), text: `${form(request).text}&channel_name=private-other` };
    expect(await authoriseChannel(app, duplicate, failIfCalled)).toMatchObject({ status: 400 });
  });

  test('throws rather than sign a presence channel without a user or with too much data', async () => {
    const body = json({ ...request, channel_name: 'presence-a' });
    await expect(authoriseChannel(app, body, () => true)).rejects.toThrow(TypeError);
    const tooLong = { userId: '7', userInfo: 'a'.repeat(1024) };
    await expect(authoriseChannel(app, body, () => tooLong)).rejects.toThrow(RangeError);
  });

  test('responds to any request, and signs only channels that were allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.constantFrom('application/json', 'application/x-www-form-urlencoded'), fc.string()),
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc
            .record({ socket_id: fc.constantFrom('1.2', '1'), channel_name: fc.string({ unit: 'binary' }) })
            .map((fields) => JSON.stringify(fields)),
        ),
        async (contentType, text) => {
          let wasDecided = false;
          const { status } = await authoriseChannel(app, { contentType, text }, (channel) => {
            wasDecided = /^private-[A-Za-z0-9_\-=@,.;]*$/.test(channel);
            return true;
          });
          expect(status === 200).toBe(wasDecided);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a list of channels', () => {
  const authoriseAll = async (channel_name: unknown, decide: (channel: string) => ChannelDecision) => {
    const response = await authoriseChannel(app, json({ ...request, channel_name }), decide);
    return { ...response, channels: JSON.parse(response.body).channels };
  };

  test('signs each allowed channel of a list as it does a single one, and returns the status of each rejected one', async () => {
    const names = ['private-case.9', 'presence-case.9', 'private-case.8', 'status', 'a b', '__proto__'];
    const decide = (channel: string) =>
      channel !== 'private-case.8' && (channel.startsWith('private-') || { userId: '7' });
    const { status, socketId, channels } = await authoriseAll(names, decide);
    expect([status, socketId]).toEqual([200, '123.456']);
    expect(Object.keys(channels)).toEqual(names);
    for (const name of names.slice(0, 2)) {
      const { auth, channel_data = null } = channels[name];
      expect(isValidChannelAuth(app, auth, '123.456', name, channel_data)).toBe(true);
      const alone = await authoriseChannel(app, json({ ...request, channel_name: name }), decide);
      expect({ status: 200, ...JSON.parse(alone.body) }).toEqual(channels[name]);
    }
    expect(names.slice(2).map((name) => channels[name].status)).toEqual([403, 403, 400, 403]);
    expect(names.slice(2).map((name) => channels[name].auth)).toEqual(Array(4).fill(undefined));
  });

  test('decides once about a channel that is listed twice, and returns no connection if no channel is allowed', async () => {
    const decided: string[] = [];
    const { socketId, channels } = await authoriseAll(['private-a', 'private-a'], (channel) => {
      decided.push(channel);
      return false;
    });
    expect(decided).toEqual(['private-a']);
    expect(channels).toEqual({
      'private-a': { status: 403, message: 'You may not subscribe to this channel.' },
    });
    expect(socketId).toBeNull();
  });
});

describe('authoriseUser', () => {
  test('protocol 28: signs a user’s sign-in for one socket', () => {
    const response = authoriseUser(app, form({ socket_id: '123.456' }), { id: '7' });
    const { auth, user_data } = JSON.parse(response.body) as { auth: string; user_data: string };
    expect(response.status).toBe(200);
    expect(user_data).toBe('{"id":"7"}');
    expect(isValidUserAuth(app, auth, '123.456', user_data)).toBe(true);
  });

  test('rejects a sign-in with 403 without a user and with 400 for an invalid socket id', () => {
    expect(authoriseUser(app, form({ socket_id: '123.456' }), null).status).toBe(403);
    expect(authoriseUser(app, form({ socket_id: '1:2' }), { id: '7' }).status).toBe(400);
    expect(authoriseUser(app, json({ socket_id: 1.2 }), { id: '7' }).status).toBe(400);
  });
});
