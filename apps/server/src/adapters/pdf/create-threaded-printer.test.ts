import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type SignaturePageContent, UnprintableDocument } from '../../features/documents/ports.ts';
import { createThreadedPrinter, type ThreadLimits } from './create-threaded-printer.ts';

/** A worker that obeys the text of the document and responds with the numbers of its thread and task. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, threadId } from 'node:worker_threads';
    let tasks = 0;
    parentPort.on('message', async ({ document }) => {
      tasks += 1;
      const wish = Buffer.from(document).toString();
      const hoard = [];
      while (wish === 'spin');
      while (wish === 'hoard') hoard.push(new Array(10_000).fill(hoard.length));
      if (wish === 'crash') setImmediate(() => { throw new Error('a fault behind our back'); });
      else if (wish === 'exit') process.exit(3);
      else if (wish === 'locked') parentPort.postMessage({ error: 'it is locked', isUnprintable: true });
      else if (wish === 'broken') parentPort.postMessage({ error: 'out of ink', isUnprintable: false });
      else {
        const startedAt = Date.now();
        await new Promise((done) => setTimeout(done, 50));
        parentPort.postMessage({ content: Buffer.from([threadId, tasks, startedAt, Date.now()].join(' ')) });
      }
    });
  `)}`,
);

function openPrinter(limits: Partial<ThreadLimits> = {}) {
  const printer = createThreadedPrinter(script, { time: 20_000, memory: 64, idle: 60_000, ...limits });
  const print = (wish: string) => printer.append(Buffer.from(wish), page);
  const numbers = async (wish = '') => {
    const [thread, task, startedAt, ended] = (await print(wish)).toString().split(' ').map(Number);
    return { thread, task, startedAt: startedAt ?? 0, ended: ended ?? 0 };
  };
  return { ...printer, print, numbers };
}
const page = { signatures: [] } as unknown as SignaturePageContent;

test('prints documents one after the other in one thread', async () => {
  const { numbers } = openPrinter();
  const [first, second, third] = await Promise.all([numbers(), numbers(), numbers()]);
  expect([first?.task, second?.task, third?.task]).toEqual([1, 2, 3]);
  expect(second?.thread).toBe(first?.thread);
  expect(second?.startedAt).toBeGreaterThanOrEqual(first?.ended ?? Number.NaN);
  expect(third?.startedAt).toBeGreaterThanOrEqual(second?.ended ?? Number.NaN);
});

test('leaves the caller’s buffer unchanged', async () => {
  const document = Buffer.from('a contract');
  await openPrinter().append(document, page);
  expect(document.toString()).toBe('a contract');
});

test('rejects a document that takes too long without blocking this thread, and starts a new one', async () => {
  const { print, numbers } = openPrinter({ time: 2_000 });
  const before = await numbers();
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 10);
  await expect(print('spin')).rejects.toThrow(UnprintableDocument);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
  expect((await numbers()).thread).not.toBe(before.thread);
});

test('rejects a document that needs too much memory', async () => {
  const { print, numbers } = openPrinter();
  await expect(print('hoard')).rejects.toThrow(
    new UnprintableDocument('it needs more than 64 MB to add a page'),
  );
  expect((await numbers()).task).toBe(1);
});

test('passes on errors of the document as unprintable and other errors as they are', async () => {
  const { print, check } = openPrinter();
  await expect(check(Buffer.from('locked'))).rejects.toThrow(new UnprintableDocument('it is locked'));
  for (const [wish, words] of [
    ['broken', 'out of ink'],
    ['crash', 'a fault behind our back'],
    ['exit', 'exited with code 3'],
  ] as const) {
    const error = await print(wish).catch((error: unknown) => error);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).not.toBeInstanceOf(UnprintableDocument);
  }
  await expect(check(Buffer.from(''))).resolves.toBeUndefined();
});

test('ends the thread after an idle time', async () => {
  const { numbers } = openPrinter({ idle: 100 });
  const before = await numbers();
  await wait(500);
  expect(await numbers()).toMatchObject({ task: 1 });
  expect((await numbers()).thread).not.toBe(before.thread);
});
