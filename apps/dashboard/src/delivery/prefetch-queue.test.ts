import { describe, expect, test } from 'vitest';
import { allowsPrefetch, createPrefetchQueue } from './prefetch-queue.ts';

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('the prefetch queue', () => {
  test('prefetches five paths at a time, in order and each once, even when some fail', async () => {
    const loaded: string[] = [];
    const ends: (() => void)[] = [];
    const load = (path: string) => {
      loaded.push(path);
      return new Promise((done, fail) =>
        ends.push(loaded.length % 2 ? () => done(null) : () => fail(new Error('gone'))),
      );
    };
    const queue = createPrefetchQueue({ load, isAllowed: () => true });
    for (const path of ['/1', '/2', '/3', '/1', '/4', '/5', '/6', '/7']) queue.add(path);
    await settled();
    expect(loaded).toEqual(['/1', '/2', '/3', '/4', '/5']);
    ends[1]?.();
    await settled();
    expect(loaded).toEqual(['/1', '/2', '/3', '/4', '/5', '/6']);
    for (const end of ends) end();
    await settled();
    queue.add('/2');
    await settled();
    expect(loaded).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
  });

  test('ignores paths while the connection does not allow prefetching', async () => {
    const loaded: string[] = [];
    let isAllowed = false;
    const load = async (path: string) => loaded.push(path);
    const queue = createPrefetchQueue({ load, isAllowed: () => isAllowed });
    queue.add('/');
    isAllowed = true;
    await settled();
    expect(loaded).toEqual([]);
    queue.add('/');
    await settled();
    expect(loaded).toEqual(['/']);
  });

  test.each([
    [{}, true],
    [{ connection: { effectiveType: '4g' } }, true],
    [{ connection: { effectiveType: '3g', saveData: false } }, true],
    [{ connection: { effectiveType: '2g' } }, false],
    [{ connection: { effectiveType: 'slow-2g' } }, false],
    [{ connection: { effectiveType: '4g', saveData: true } }, false],
  ])('allows prefetching with %j: %s', (navigator, expected) => {
    expect(allowsPrefetch(navigator)).toBe(expected);
  });
});
