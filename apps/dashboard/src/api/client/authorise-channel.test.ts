import { describe, expect, test, vi } from 'vitest';
import { createAuthoriseChannel } from './authorise-channel.ts';

function createAuthoriser(
  answer: Response | ((body: string) => Response),
  { cookies = '', apiBaseUrl = '/api', onRefetchWithin = vi.fn() } = {},
) {
  const fetch = vi.fn<typeof globalThis.fetch>(async (_url, init) =>
    typeof answer === 'function' ? answer(String(init?.body)) : answer.clone(),
  );
  const auth = { credential: () => 'Bearer secret', reject: vi.fn() };
  const authorise = createAuthoriseChannel(auth, {
    apiBaseUrl,
    fetch,
    onRefetchWithin,
    cookies: () => cookies,
  });
  const sent = () => {
    const [url, init] = fetch.mock.calls[0] ?? [];
    return { url, body: init?.body, credentials: init?.credentials, headers: init?.headers };
  };
  return {
    auth,
    sent,
    bodies: () => fetch.mock.calls.map(([, init]) => JSON.parse(String(init?.body))),
    onRefetchWithin,
    ask: (channel_name = 'private-case.1', socket_id = '1.2') =>
      authorise('/broadcasting/auth', { socket_id, channel_name }),
    signIn: () => authorise('/broadcasting/user-auth', { socket_id: '1.2' }),
  };
}

const signed = () =>
  new Response('{"channels":{"private-case.1":{"status":200,"auth":"key:abc","channel_data":"{}"}}}');

describe('authorising a channel', () => {
  test('authorising a channel sends the current token, cookies, the socket id and the channel', async () => {
    const { ask, sent } = createAuthoriser(signed());
    expect(await ask()).toEqual({ auth: 'key:abc', channel_data: '{}' });
    expect(sent()).toMatchObject({
      url: '/broadcasting/auth',
      body: '{"socket_id":"1.2","channel_name":["private-case.1"]}',
      credentials: 'include',
      headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
    });
    expect(sent().headers).not.toHaveProperty('X-XSRF-TOKEN');
  });

  test('a channel is authorised at the origin of the API', async () => {
    const { ask, sent } = createAuthoriser(signed(), { apiBaseUrl: 'https://api.example.com/v1/api' });
    await ask();
    expect(sent().url).toBe('https://api.example.com/broadcasting/auth');
  });

  test('authorising a channel sends the CSRF token that an external server has set', async () => {
    const { ask, sent } = createAuthoriser(signed(), { cookies: 'a=b; XSRF-TOKEN=abc%3D%3D; c=d' });
    await ask();
    expect(sent().headers).toMatchObject({ 'X-XSRF-TOKEN': 'abc==' });
  });

  test('a 401 to a channel authorisation ends the sign-in, unless it was for an older token', async () => {
    const first = createAuthoriser(new Response('{}', { status: 401 }));
    await expect(first.ask()).rejects.toThrow('rejected with 401');
    expect(first.auth.reject).toHaveBeenCalledOnce();
    const second = createAuthoriser(new Response('{}', { status: 401 }));
    const pending = second.ask();
    second.auth.credential = () => 'Bearer newer';
    await expect(pending).rejects.toThrow('rejected with 401');
    expect(second.auth.reject).not.toHaveBeenCalled();
  });

  test.each([
    [new Response('{"auth":"x"}', { status: 201 }), 'rejected with 201'],
    [new Response('{}', { status: 403 }), 'rejected with 403'],
    [new Response('{}', { status: 429 }), 'rejected with 429'],
    [new Response('{"auth":7}'), 'could not be read'],
    [new Response('{"channels":{}}'), 'could not be read'],
    [new Response('{"channels":{"private-case.1":{"status":200,"auth":7}}}'), 'could not be read'],
    [new Response('{"channels":{"private-case.1":{"status":403}}}'), 'rejected with 403'],
    [
      new Response('{"channels":{"private-case.1":{"status":200,"auth":"a","channel_data":{}}}}'),
      'could not be read',
    ],
    [new Response('<h1>Hello</h1>'), 'JSON'],
  ])('rejects an unexpected answer to a channel authorisation: %#', async (answer, words) => {
    const { ask, auth } = createAuthoriser(answer);
    await expect(ask()).rejects.toThrow(words);
    expect(auth.reject).not.toHaveBeenCalled();
  });

  test('authorises channels that are requested together in one request for each connection', async () => {
    const { ask, bodies } = createAuthoriser((body) => {
      const { channel_name } = JSON.parse(body) as { channel_name: string[] };
      const channels = channel_name.map((name) => [name, { status: 200, auth: `key:${name}` }]);
      return new Response(JSON.stringify({ channels: Object.fromEntries(channels) }));
    });
    const answers = await Promise.all([ask('private-a'), ask('presence-b'), ask('private-a', '3.4')]);
    expect(answers).toEqual([
      { auth: 'key:private-a' },
      { auth: 'key:presence-b' },
      { auth: 'key:private-a' },
    ]);
    await ask('private-c');
    expect(bodies()).toEqual([
      { socket_id: '1.2', channel_name: ['private-a', 'presence-b'] },
      { socket_id: '3.4', channel_name: ['private-a'] },
      { socket_id: '1.2', channel_name: ['private-c'] },
    ]);
  });

  test('rejects only the channels of a list that the server rejects', async () => {
    const { ask } = createAuthoriser(
      new Response('{"channels":{"private-a":{"status":200,"auth":"x"},"private-b":{"status":403}}}'),
    );
    const [first, second] = await Promise.allSettled([ask('private-a'), ask('private-b')]);
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: new Error('the channel was rejected with 403'),
    });
  });

  test.each([400, 403, 422, 500, 200])(
    'authorises channel by channel at a server that answers a list with %i, and remembers it',
    async (status) => {
      const { ask, bodies } = createAuthoriser((body) =>
        body.includes('[') ? new Response('{}', { status }) : new Response('{"auth":"key:abc"}'),
      );
      await Promise.all([ask('private-a'), ask('private-b')]);
      expect(await ask('private-c')).toEqual({ auth: 'key:abc' });
      expect(bodies().map(({ channel_name }) => channel_name)).toEqual([
        ['private-a', 'private-b'],
        'private-a',
        'private-b',
        'private-c',
      ]);
    },
  );

  test('fault 43: authorises a list of channels again after the server also failed for single channels', async () => {
    const { ask, bodies } = createAuthoriser(() => new Response('{}', { status: 500 }));
    await expect(ask()).rejects.toThrow('rejected with 500');
    await expect(ask()).rejects.toThrow('rejected with 500');
    expect(bodies().filter(({ channel_name }) => Array.isArray(channel_name))).toHaveLength(2);
  });

  test('requests the real-time sign-in of a user separately, not in a list of channels', async () => {
    const { signIn, bodies } = createAuthoriser(new Response('{"auth":"a","user_data":"{}"}'));
    expect(await signIn()).toEqual({ auth: 'a', user_data: '{}' });
    expect(bodies()).toEqual([{ socket_id: '1.2' }]);
  });

  test.each([
    ['1500', [[1_500]]],
    ['-1', []],
    ['1e9', []],
    ['soon', []],
  ])('passes on the server’s period for spreading fetches, if it is plausible: %s', async (header, calls) => {
    const response = new Response(await signed().text(), { headers: { 'x-refetch-within': header } });
    const { ask, onRefetchWithin } = createAuthoriser(response);
    await ask();
    expect(onRefetchWithin.mock.calls).toEqual(calls);
  });
});
