import { afterEach, describe, expect, test, vi } from 'vitest';
import { isBuild } from './build-manifest.ts';
import { fetchBuildFile } from './fetch-build-file.ts';

afterEach(() => {
  vi.useRealTimers();
});

const build = { id: 'x', timestamp: 1 };
const json = (body: BodyInit | null, init: ResponseInit = {}) =>
  new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' }, ...init });

const read = (answer: Response | Promise<Response>) =>
  fetchBuildFile('/builds/latest.json', isBuild, {
    maxBytes: 100,
    cache: 'no-store',
    fetch: async () => answer,
  });

describe('fetchBuildFile', () => {
  test('returns a valid build file', async () => {
    expect(await read(json(JSON.stringify(build)))).toEqual(build);
  });

  test.each([
    [
      'is HTML',
      new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      /content type text\/html/,
    ],
    ['is missing', json('{}', { status: 404 }), /status 404/],
    ['is a server error', json('{}', { status: 500 }), /status 500/],
    ['exceeds the size limit', json(`${' '.repeat(200)}${JSON.stringify(build)}`), /longer than 100 bytes/],
    ['is truncated JSON', json('{"id":"x"'), /JSON/],
    ['is empty', json(null), /JSON/],
    ['has an unexpected shape', json('{"id":1,"timestamp":"x"}'), /unexpected JSON shape/],
  ])('rejects a build file that %s', async (_case, answer, message) => {
    await expect(read(answer)).rejects.toThrow(message);
  });

  test('fault 55: aborts the request for a build file after 10 seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await read(json(JSON.stringify(build)));
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
  });

  test('fault 55: stops reading an endless build file at the size limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(60));
      },
    });
    await expect(read(json(endless))).rejects.toThrow(/longer/);
    expect(pulled).toBeLessThan(10);
  });
});
