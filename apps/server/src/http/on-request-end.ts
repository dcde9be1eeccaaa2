import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Calls back once, when a request is answered or its connection closes. */
export function onRequestEnd(request: IncomingMessage, response: ServerResponse, end: () => void): void {
  const unanswered = unansweredOn(request.socket);
  const finish = () => {
    if (unanswered.delete(finish)) end();
  };
  unanswered.add(finish);
  // The first event counts, because a response to a disconnected client never finishes.
  response.once('finish', finish);
  response.once('close', finish);
}

/**
 * Returns the callbacks that finish the unanswered requests of a connection. When a connection breaks, pipelined
 * responses queued behind another one emit no events.
 */
function unansweredOn(socket: Socket): Set<() => void> {
  const known = unanswered.get(socket);
  if (known) return known;
  const ends = new Set<() => void>();
  unanswered.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}

const unanswered = new WeakMap<Socket, Set<() => void>>();
