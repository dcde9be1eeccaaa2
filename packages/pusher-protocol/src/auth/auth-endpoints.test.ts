import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testApp as app } from '../testing/fake-sockets.ts';
import { authoriseChannel, authoriseUser } from './auth-endpoints.ts';
import { isValidChannelAuth, isValidUserAuth } from './signatures.ts';

const form = (fields: Record<string, string>) => ({
  contentType: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
});
const json = (value: unknown) => ({
  contentType: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});
const asked = { socket_id: '123.456', channel_name: 'private-case.9' };
const mustNotAsk = () => {
  throw new Error('nobody is to be asked about this');
};

describe('a channel', () => {
  test.each([
    ['a form, as pusher-js sends it', form(asked)],
    ['JSON, as custom authorisers send it', json(asked)],
  ])('protocol 18: is signed when the rule says yes: %s', async (_, body) => {
    const seen: string[] = [];
    const answer = await authoriseChannel(app, body, (channel) => {
      seen.push(channel);
      return true;
    });
    expect(answer).toEqual({
      status: 200,
      socketId: '123.456',
      body: '{"auth":"key:de1ea39254200260290c6c11d55a65ed1a920198e4fcd76856bc3c03ccdf6816"}',
    });
    expect(seen).toEqual(['private-case.9']);
  });

  test('protocol 23: with presence is signed with who it is, so that the registry lets them in', async () => {
    const body = json({ ...asked, channel_name: 'presence-case.9' });
    const answer = await authoriseChannel(app, body, async () => ({ userId: '7', userInfo: { name: 'A' } }));
    const { auth, channel_data } = JSON.parse(answer.body) as { auth: string; channel_data: string };
    expect(channel_data).toBe('{"user_id":"7","user_info":{"name":"A"}}');
    expect(isValidChannelAuth(app, auth, '123.456', 'presence-case.9', channel_data)).toBe(true);
  });

  test('protocol 20: is 403 when the rule says no', async () => {
    expect(await authoriseChannel(app, form(asked), () => false)).toMatchObject({ status: 403 });
  });

  test.each(['case.9', '#server-to-user-7', 'private-encrypted-a', 'cache-a', 'presence-cache-a'])(
    'is 403 for %s, which nobody signs',
    async (channel_name) => {
      expect(await authoriseChannel(app, json({ ...asked, channel_name }), mustNotAsk)).toMatchObject({
        status: 403,
      });
    },
  );

  test.each([
    { ...asked, channel_name: ':user::{"id":"7","name":"A"}' },
    { ...asked, channel_name: 'private-a:b' },
    { ...asked, channel_name: '' },
    { ...asked, channel_name: 'private-'.padEnd(165, 'a') },
    { ...asked, channel_name: ['private-a'] },
    { ...asked, socket_id: '1' },
    { ...asked, socket_id: '1.2:private-a' },
    { ...asked, socket_id: 1.2 },
    { channel_name: 'private-a' },
    { socket_id: '1.2' },
    [],
    null,
  ])('is 400 when what is asked could be signed as something else, or is nothing: %j', async (fields) => {
    expect(await authoriseChannel(app, json(fields), mustNotAsk)).toMatchObject({ status: 400 });
  });

  test('is 400 in any other form', async () => {
    const text = JSON.stringify(asked);
    for (const contentType of ['text/plain', undefined, '']) {
      expect(await authoriseChannel(app, { contentType, text }, mustNotAsk)).toMatchObject({ status: 400 });
    }
    const twice = { ...form(asked), text: `${form(asked).text}&channel_name=private-other` };
    expect(await authoriseChannel(app, twice, mustNotAsk)).toMatchObject({ status: 400 });
  });

  test('is never signed for a presence without a user, or with one that the registry would refuse', async () => {
    const body = json({ ...asked, channel_name: 'presence-a' });
    await expect(authoriseChannel(app, body, () => true)).rejects.toThrow(TypeError);
    const tooLong = { userId: '7', userInfo: 'a'.repeat(1024) };
    await expect(authoriseChannel(app, body, () => tooLong)).rejects.toThrow(RangeError);
  });

  test('that is asked for in any way at all is answered, and signed only where the rule was asked', async () => {
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
          let wasAsked = false;
          const { status } = await authoriseChannel(app, { contentType, text }, (channel) => {
            wasAsked = /^private-[A-Za-z0-9_\-=@,.;]*$/.test(channel);
            return true;
          });
          expect(status === 200).toBe(wasAsked);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('a user', () => {
  test('protocol 28: is signed for the socket', () => {
    const answer = authoriseUser(app, form({ socket_id: '123.456' }), { id: '7' });
    const { auth, user_data } = JSON.parse(answer.body) as { auth: string; user_data: string };
    expect(answer.status).toBe(200);
    expect(user_data).toBe('{"id":"7"}');
    expect(isValidUserAuth(app, auth, '123.456', user_data)).toBe(true);
  });

  test('is 403 when nobody is signed in, and 400 for a socket that is none', () => {
    expect(authoriseUser(app, form({ socket_id: '123.456' }), null).status).toBe(403);
    expect(authoriseUser(app, form({ socket_id: '1:2' }), { id: '7' }).status).toBe(400);
    expect(authoriseUser(app, json({ socket_id: 1.2 }), { id: '7' }).status).toBe(400);
  });
});
