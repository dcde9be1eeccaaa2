import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The real-time connection of the browser whose request is being answered: what the request changes is told to every
 * other one. It goes with the request by itself, so that no use case has to know of it.
 */
const socket = new AsyncLocalStorage<string>();

/** Does the work of a request that came with `X-Socket-Id`. */
export const asSocket = <Result>(socketId: string | undefined, work: () => Result): Result =>
  socketId === undefined ? work() : socket.run(socketId, work);

/** Undefined outside of such a request. */
export const askingSocket = (): string | undefined => socket.getStore();
