import { describe, expect, test, vi } from 'vitest';
import { createAuthoriseChannel } from './authorise-channel.ts';

function asking(answer: Response, { cookies = '', apiBaseUrl = '/api' } = {}) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer);
  const auth = { authorization: () => 'Bearer secret' as string | null, clear: vi.fn() };
  const authorise = createAuthoriseChannel(auth, { apiBaseUrl, fetch, cookies: () => cookies });
  const sent = () => {
    const [url, init] = fetch.mock.calls[0] ?? [];
    return { url, body: init?.body, credentials: init?.credentials, headers: init?.headers };
  };
  return {
    auth,
    sent,
    ask: () => authorise('/broadcasting/auth', { socket_id: '1.2', channel_name: 'private-case.1' }),
  };
}

const signed = () => new Response('{"auth":"key:abc","channel_data":"{}"}');

describe('authorising a channel', () => {
  test('sends the current token, cookies, the socket id and the channel', async () => {
    const { ask, sent } = asking(signed());
    expect(await ask()).toEqual({ auth: 'key:abc', channel_data: '{}' });
    expect(sent()).toMatchObject({
      url: '/broadcasting/auth',
      body: '{"socket_id":"1.2","channel_name":"private-case.1"}',
      credentials: 'include',
      headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
    });
    expect(sent().headers).not.toHaveProperty('X-XSRF-TOKEN');
  });

  test('sends the request to the origin of the API', async () => {
    const { ask, sent } = asking(signed(), { apiBaseUrl: 'https://api.example.com/v1/api' });
    await ask();
    expect(sent().url).toBe('https://api.example.com/broadcasting/auth');
  });

  test('sends the CSRF token of the cookie', async () => {
    const { ask, sent } = asking(signed(), { cookies: 'a=b; XSRF-TOKEN=abc%3D%3D; c=d' });
    await ask();
    expect(sent().headers).toMatchObject({ 'X-XSRF-TOKEN': 'abc==' });
  });

  test('ends the sign-in on a 401, unless it was for an older token', async () => {
    const first = asking(new Response('{}', { status: 401 }));
    await expect(first.ask()).rejects.toThrow('refused with 401');
    expect(first.auth.clear).toHaveBeenCalledWith('expired');
    const second = asking(new Response('{}', { status: 401 }));
    const asked = second.ask();
    second.auth.authorization = () => 'Bearer newer';
    await expect(asked).rejects.toThrow('refused with 401');
    expect(second.auth.clear).not.toHaveBeenCalled();
  });

  test.each([
    [new Response('{"auth":"x"}', { status: 201 }), 'refused with 201'],
    [new Response('{}', { status: 403 }), 'refused with 403'],
    [new Response('{"auth":7}'), 'could not be read'],
    [new Response('{"auth":"a","channel_data":{}}'), 'could not be read'],
    [new Response('<h1>Hello</h1>'), 'JSON'],
  ])('rejects an unexpected answer: %#', async (answer, words) => {
    const { ask, auth } = asking(answer);
    await expect(ask()).rejects.toThrow(words);
    expect(auth.clear).not.toHaveBeenCalled();
  });
});
