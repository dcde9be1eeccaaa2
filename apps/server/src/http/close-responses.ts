import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';

/** Requests that a connection may send before the first of them is answered. Browsers and proxies send one at a time. */
const maxPipelined = 8;

/** The responses of each connection that are not sent. */
const unsent = new WeakMap<Socket, Set<ServerResponse>>();

/**
 * Closes a response when its connection breaks. Node.js closes only the one that is being sent: those of pipelined requests,
 * which wait behind it, would keep their files and their places in every limit for good.
 * @returns false, and ends the connection, if it has sent too many requests at once
 */
export function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const responses = unsent.get(socket) ?? track(socket);
  responses.add(response);
  const remove = () => void responses.delete(response);
  response.once('finish', remove);
  response.once('close', remove);
  if (responses.size > maxPipelined) socket.destroy();
  return !socket.destroyed;
}

/**
 * Ends a connection after the requests that it has sent are answered, if there are any and all have arrived.
 * @returns whether that is so
 */
export function endAfterResponses(socket: Socket): boolean {
  const responses = unsent.get(socket);
  // What is invalid or late may be the body of a request that is still arriving.
  if (!responses?.size || [...responses].some(({ req }) => !req.complete)) return false;
  socket.pause();
  for (const response of responses)
    response.once('finish', () => {
      if (responses.size === 0) socket.destroySoon();
    });
  return true;
}

const closings = new WeakMap<ServerResponse, Promise<void>>();

/**
 * Resolves once a response is sent or its connection has broken, even before the call. All who wait share one listener:
 * Node.js warns of a leak when a response has more than ten, of which Fastify adds half.
 */
export function whenClosed(response: ServerResponse): Promise<void> {
  const closing =
    closings.get(response) ?? new Promise<void>((resolve) => void finished(response, () => resolve()));
  closings.set(response, closing);
  return closing;
}

function track(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  unsent.set(socket, responses);
  socket.once('close', () => {
    for (const response of responses) {
      response.destroy();
      response.emit('close');
    }
  });
  return responses;
}
