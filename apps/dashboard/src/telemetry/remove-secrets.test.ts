import { expect, test } from 'vitest';
import { removeSecrets } from './remove-secrets.ts';

type Envelope = Parameters<typeof removeSecrets>[0];

const decoded = (payload: unknown) => new TextDecoder().decode(payload as Uint8Array);

test('fault 71: removes secrets from events and recordings and corrects the length header', () => {
  const recording = `{"segment_id":0}\n${JSON.stringify([
    { type: 4, data: { href: 'http://a.example/reset-password/q9Zwq9Zw' } },
    {
      type: 5,
      data: { payload: { request: { headers: { authorization: 'Bearer x' }, body: '{"password":"p"}' } } },
    },
  ])}`;
  const envelope = [
    {
      dsn: 'https://key@errors.example.com/1',
      trace: { transaction: '/reset-password/q9Zw', public_key: 'key' },
    },
    [
      [
        { type: 'event' },
        { message: 'for amelia@example.test', request: { url: 'http://a.example/?client_secret=abc' } },
      ],
      [{ type: 'replay_recording', length: recording.length }, recording],
      [{ type: 'replay_recording', length: 1 }, new TextEncoder().encode(recording)],
    ],
  ] as unknown as Envelope;

  const [headers, items] = removeSecrets(envelope) as unknown as [object, [{ length?: number }, unknown][]];
  expect(headers).toEqual({
    dsn: 'https://key@errors.example.com/1',
    trace: { transaction: '/reset-password/[hidden]', public_key: 'key' },
  });
  expect(items[0]?.[1]).toEqual({
    message: 'for [email]',
    request: { url: 'http://a.example/?client_secret=[hidden]' },
  });
  for (const [{ length }, payload] of items.slice(1)) {
    expect(length).toBe((payload as Uint8Array).length);
    const [first, events] = decoded(payload).split('\n');
    expect(first).toBe('{"segment_id":0}');
    expect(JSON.parse(events ?? '')).toEqual([
      { type: 4, data: { href: 'http://a.example/reset-password/[hidden]' } },
      {
        type: 5,
        data: {
          payload: { request: { headers: { authorization: '[hidden]' }, body: '{"password":"[hidden]"}' } },
        },
      },
    ]);
  }
});
