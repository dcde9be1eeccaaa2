import { describe, expect, test } from 'vitest';
import { allowsPrefetch, createPrefetchQueue } from './prefetch-queue.ts';

const settled = () => new Promise((done) => setTimeout(done, 0));

describe('screens loaded in advance', () => {
  test('are loaded five at a time, in their order and each once, whatever becomes of them', async () => {
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const load = (path: string) => {
      asked.push(path);
      return new Promise((done, fail) =>
        ends.push(asked.length % 2 ? () => done(null) : () => fail(new Error('gone'))),
      );
    };
    const queue = createPrefetchQueue({ load, isAllowed: () => true });
    for (const path of ['/1', '/2', '/3', '/1', '/4', '/5', '/6', '/7']) queue.add(path);
    await settled();
    expect(asked).toEqual(['/1', '/2', '/3', '/4', '/5']);
    ends[1]?.();
    await settled();
    expect(asked).toEqual(['/1', '/2', '/3', '/4', '/5', '/6']);
    for (const end of ends) end();
    await settled();
    queue.add('/2');
    await settled();
    expect(asked).toEqual(['/1', '/2', '/3', '/4', '/5', '/6', '/7']);
  });

  test('wait for a connection that allows it', async () => {
    const asked: string[] = [];
    let isAllowed = false;
    const load = async (path: string) => asked.push(path);
    const queue = createPrefetchQueue({ load, isAllowed: () => isAllowed });
    queue.add('/');
    isAllowed = true;
    await settled();
    expect(asked).toEqual([]);
    queue.add('/');
    await settled();
    expect(asked).toEqual(['/']);
  });

  test.each([
    [{}, true],
    [{ connection: { effectiveType: '4g' } }, true],
    [{ connection: { effectiveType: '3g', saveData: false } }, true],
    [{ connection: { effectiveType: '2g' } }, false],
    [{ connection: { effectiveType: 'slow-2g' } }, false],
    [{ connection: { effectiveType: '4g', saveData: true } }, false],
  ])('with %j: %s', (navigator, expected) => {
    expect(allowsPrefetch(navigator)).toBe(expected);
  });
});
