import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The socket id of the browser that sent the current request. Its changes are broadcast to every other connection. The
 * id travels with the async context, so that use cases need not pass it on.
 */
const socket = new AsyncLocalStorage<string>();

/** Runs the work of a request with the socket id of its `X-Socket-Id` header. */
export const runWithSocketId = <Result>(socketId: string | undefined, work: () => Result): Result =>
  socketId === undefined ? work() : socket.run(socketId, work);

/** Returns the socket id of the current request; undefined outside a request with one. */
export const currentSocketId = (): string | undefined => socket.getStore();
