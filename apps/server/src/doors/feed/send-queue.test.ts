import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createSendQueue } from './send-queue.ts';

const caller = { hasLeft: () => false };

/** Work that runs until the test finishes it. */
function createWork() {
  let finish = () => {};
  let started = 0;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const work = async () => {
    started += 1;
    await finished;
    return 'done';
  };
  return { work, finish, started: () => started };
}

describe('the queue of feed requests', () => {
  test('the queue of feed requests runs one at a time, even after a failure', async () => {
    const queue = createSendQueue({ maxWaiting: 5, maxWait: 10_000 });
    const [first, second] = [createWork(), createWork()];
    const results = [queue(caller, first.work), queue(caller, second.work)];
    await delay(10);
    expect([first.started(), second.started()]).toEqual([1, 0]);
    first.finish();
    second.finish();
    expect(await Promise.all(results)).toEqual(['done', 'done']);
    await expect(queue(caller, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue(caller, async () => 'after')).toBe('after');
  });

  test('the queue of feed requests rejects requests when it is full, and accepts them again when there is room', async () => {
    const queue = createSendQueue({ maxWaiting: 1, maxWait: 10_000 });
    const running = createWork();
    const first = queue(caller, running.work);
    await delay(0);
    const second = queue(caller, async () => 'second');
    await expect(queue(caller, async () => 'third')).rejects.toMatchObject({ code: 'unavailable' });
    running.finish();
    expect(await Promise.all([first, second])).toEqual(['done', 'second']);
    expect(await queue(caller, async () => 'fourth')).toBe('fourth');
  });

  test('the queue of feed requests rejects a request that has waited too long, without starting it', async () => {
    const queue = createSendQueue({ maxWaiting: 1, maxWait: 20 });
    const [running, late] = [createWork(), createWork()];
    const first = queue(caller, running.work);
    await delay(0);
    await expect(queue(caller, late.work)).rejects.toMatchObject({ code: 'unavailable' });
    const next = queue(caller, async () => 'next');
    running.finish();
    expect(await Promise.all([first, next])).toEqual(['done', 'next']);
    expect(late.started()).toBe(0);
  });

  test('the queue of feed requests frees the memory of a request that has waited too long', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const queue = createSendQueue({ maxWaiting: 1, maxWait: 20 });
    const running = createWork();
    const first = queue(caller, running.work);
    await delay(0);
    const wait = async () => {
      const content = Buffer.alloc(1_000);
      const late = queue({ hasLeft: () => content.length === 0 }, async () => content);
      await expect(late).rejects.toMatchObject({ code: 'unavailable' });
      return new WeakRef(content);
    };
    const content = await wait();
    await delay(0);
    collectGarbage();
    expect(content.deref()).toBeUndefined();
    running.finish();
    await first;
  });

  test('the queue of feed requests drops a request if its caller disconnects while it waits', async () => {
    const queue = createSendQueue({ maxWaiting: 5, maxWait: 10_000 });
    const [running, old] = [createWork(), createWork()];
    const first = queue(caller, running.work);
    let hasLeft = false;
    const dropped = queue({ hasLeft: () => hasLeft }, old.work);
    const newer = queue(caller, async () => 'newer');
    hasLeft = true;
    running.finish();
    await expect(dropped).rejects.toMatchObject({ code: 'unavailable' });
    expect(await Promise.all([first, newer])).toEqual(['done', 'newer']);
    expect(old.started()).toBe(0);
  });
});
