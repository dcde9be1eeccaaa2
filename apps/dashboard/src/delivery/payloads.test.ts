import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPayloads, payloadUrl } from './payloads.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const data = { product_name: 'Keyturn', firm: null, demonstration: false };

describe('payloads of prerendered paths', () => {
  test('builds the payload address from the path and the build id', () => {
    expect(payloadUrl('/login', 'b1')).toBe('/login/_payload.json?b1');
    expect(payloadUrl('/login/', 'b1')).toBe('/login/_payload.json?b1');
    expect(payloadUrl('/', 'b1')).toBe('/_payload.json?b1');
  });

  test.each(['https://evil.example/login', '//evil.example/login', '/.//evil.example'])(
    'rejects a payload path on another host: %s',
    (path) => {
      expect(() => payloadUrl(path, 'b1')).toThrow('Payload URL must not include hostname');
    },
  );

  test('caches a payload for one navigation and fetches it again a day later', async () => {
    vi.useFakeTimers();
    const fetch = vi.fn(async () => Response.json({ build: 'b1', data }));
    const payloads = createPayloads('b1', fetch);
    expect(await Promise.all([payloads.read('/login'), payloads.read('/login')])).toEqual([data, data]);
    expect(fetch).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(24 * 3_600_000);
    expect(await payloads.read('/login')).toEqual(data);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['belongs to another build', () => Response.json({ build: 'b2', data })],
    ['has an unexpected shape', () => Response.json({ build: 'b1', data: { firm: 'x' } })],
    ['does not exist', () => new Response('Not found', { status: 404 })],
  ])('returns null, warns and retries when the payload %s', async (_case, answer) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const fetch = vi.fn(async () => answer());
    const payloads = createPayloads('b1', fetch);
    expect(await payloads.read('/login')).toBeNull();
    expect(await payloads.read('/login')).toBeNull();
    expect(warn).toHaveBeenCalledTimes(2);
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
