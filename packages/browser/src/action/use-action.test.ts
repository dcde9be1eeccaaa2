import { expect, test } from 'vitest';
import { createAction } from './use-action.ts';

/** Work that ends when the test resolves it. */
function startWork() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

test('an action is busy while its work runs', async () => {
  const action = createAction();
  const { promise, resolve } = startWork();
  const running = action.run(() => promise);
  expect(action.get().isBusy).toBe(true);
  resolve();
  await running;
  expect(action.get()).toEqual({ isBusy: false, failure: null });
});

test('an action keeps its failure until it runs again, and reports it', async () => {
  const action = createAction();
  const reported: unknown[] = [];
  const failure = new Error('refused');
  await action.run(
    () => Promise.reject(failure),
    (error) => reported.push(error),
  );
  expect(action.get()).toEqual({ isBusy: false, failure });
  expect(reported).toEqual([failure]);
  const { promise, resolve } = startWork();
  const running = action.run(() => promise);
  expect(action.get().failure).toBeNull();
  resolve();
  await running;
});

test('an action that is running is not started twice', async () => {
  const action = createAction();
  const { promise, resolve } = startWork();
  let started = 0;
  const work = () => {
    started += 1;
    return promise;
  };
  const running = action.run(work);
  await action.run(work);
  expect(started).toBe(1);
  resolve();
  await running;
  await action.run(work);
  expect(started).toBe(2);
});

test('an action forgets its failure when it is reset, and stays busy', async () => {
  const action = createAction();
  await action.run(() => Promise.reject(new Error('refused')));
  action.reset();
  expect(action.get()).toEqual({ isBusy: false, failure: null });
  const { promise, resolve } = startWork();
  const running = action.run(() => promise);
  action.reset();
  expect(action.get().isBusy).toBe(true);
  resolve();
  await running;
});

test('an action that leads to another page stays busy after a success, and not after a failure', async () => {
  const action = createAction({ staysBusy: true });
  await action.run(() => Promise.reject(new Error('refused')));
  expect(action.get().isBusy).toBe(false);
  await action.run(() => Promise.resolve());
  expect(action.get().isBusy).toBe(true);
});
