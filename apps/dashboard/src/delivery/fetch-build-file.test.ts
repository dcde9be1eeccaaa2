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

describe('a file of a build', () => {
  test('is given when it is one', async () => {
    expect(await read(json(JSON.stringify(build)))).toEqual(build);
  });

  test.each([
    ['HTML', new Response('<html>', { headers: { 'content-type': 'text/html' } }), /it is text\/html/],
    ['missing', json('{}', { status: 404 }), /status 404/],
    ['a failure', json('{}', { status: 500 }), /status 500/],
    ['longer than it may be', json(`${' '.repeat(200)}${JSON.stringify(build)}`), /longer than 100 bytes/],
    ['cut off', json('{"id":"x"'), /JSON/],
    ['empty', json(null), /JSON/],
    ['of another shape', json('{"id":1,"timestamp":"x"}'), /another shape/],
  ])('is an error when it is %s', async (_what, answer, words) => {
    await expect(read(answer)).rejects.toThrow(words);
  });

  test('that never ends is given up after ten seconds', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    await read(json(JSON.stringify(build)));
    expect(timeout).toHaveBeenCalledWith(10_000);
    timeout.mockRestore();
  });

  test('that goes on and on is not read to its end', async () => {
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
