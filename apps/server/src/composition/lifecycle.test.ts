import { expect, test } from 'vitest';
import { createLifecycle } from './lifecycle.ts';

test('a stop during the start waits for the part that is starting, and starts no further ones', async () => {
  const lifecycle = createLifecycle();
  let release = () => {};
  const started: string[] = [];
  const starting = lifecycle.start([
    async () => {
      await new Promise<void>((done) => {
        release = done;
      });
      started.push('first');
    },
    () => started.push('second'),
  ]);
  const isStopped = lifecycle.stop([]).then(() => started.length > 0);
  release();
  await expect(starting).rejects.toThrow('stopped before it had started');
  expect(await isStopped).toBe(true);
  expect(started).toEqual(['first']);
  expect([lifecycle.isReady(), lifecycle.isClosing()]).toEqual([false, true]);
});

test('a stop stops all parts although one of them fails, and reports the failure', async () => {
  const lifecycle = createLifecycle();
  await lifecycle.start([]);
  expect(lifecycle.isReady()).toBe(true);
  const stopped: string[] = [];
  const stopping = lifecycle.stop([() => Promise.reject(new Error('busy')), () => stopped.push('other')]);
  expect(lifecycle.isReady()).toBe(false);
  await expect(stopping).rejects.toThrow('busy');
  expect(stopped).toEqual(['other']);
});
