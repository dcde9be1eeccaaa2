import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPayloads, payloadUrl } from './payloads.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const data = { product_name: 'Keyturn', firm: null, demonstration: false };

describe('the payload of a prerendered path', () => {
  test('is beside it, by the build', () => {
    expect(payloadUrl('/login', 'b1')).toBe('/login/_payload.json?b1');
    expect(payloadUrl('/login/', 'b1')).toBe('/login/_payload.json?b1');
    expect(payloadUrl('/', 'b1')).toBe('/_payload.json?b1');
  });

  test.each(['https://evil.example/login', '//evil.example/login', '/.//evil.example'])(
    'is never of another host: %s',
    (path) => {
      expect(() => payloadUrl(path, 'b1')).toThrow('Payload URL must not include hostname');
    },
  );

  test('is asked for once for a step, and anew for one of tomorrow', async () => {
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
    ['of another build', () => Response.json({ build: 'b2', data })],
    ['of another shape', () => Response.json({ build: 'b1', data: { firm: 'x' } })],
    ['not there', () => new Response('Not found', { status: 404 })],
  ])('that is %s is warned of, done without, and asked for again', async (_what, answer) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const fetch = vi.fn(async () => answer());
    const payloads = createPayloads('b1', fetch);
    expect(await payloads.read('/login')).toBeNull();
    expect(await payloads.read('/login')).toBeNull();
    expect(warn).toHaveBeenCalledTimes(2);
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
