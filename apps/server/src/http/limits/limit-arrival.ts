import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerParserError } from '../answer-parser-error.ts';

/** The minimum rate at which the body of a request must arrive. */
export interface SlowArrival {
  /** The grace period, in milliseconds. */
  grace: number;
  /** The average number of bytes per second that must arrive after it. */
  bytesPerSecond: number;
  /** Milliseconds. */
  checkEvery: number;
}

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Aborts a request with a body that has not arrived in time, against slowloris attacks. Node.js has one timeout for
 * all requests of a server, which would have to be as long as the slowest upload.
 * @param milliseconds from when its headers have arrived
 */
export function limitArrival(request: IncomingMessage, response: ServerResponse, milliseconds: number): void {
  if (!hasBody(request)) return;
  timers.set(request, setTimeout(() => cutOff(request, response), milliseconds).unref());
  request.once('close', () => clearTimeout(timers.get(request)));
}

/**
 * Allows a request that was admitted to arrive slowly, as long as it makes progress. The limit of its length bounds the
 * time.
 */
export function allowSlowArrival(
  request: IncomingMessage,
  response: ServerResponse,
  { grace, bytesPerSecond, checkEvery }: SlowArrival,
): void {
  const limit = timers.get(request);
  // Without a connection, the body has arrived, or a test injected the request.
  if (!limit) return;
  clearTimeout(limit);
  const { socket } = request;
  const [startedAt, before] = [performance.now(), socket.bytesRead];
  const check = () => {
    const allowed = grace + ((socket.bytesRead - before) / bytesPerSecond) * 1_000;
    if (performance.now() - startedAt > allowed) cutOff(request, response);
  };
  timers.set(request, setInterval(check, checkEvery).unref());
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function cutOff(request: IncomingMessage, response: ServerResponse): void {
  clearTimeout(timers.get(request));
  if (request.complete) return;
  if (response.headersSent) request.socket.destroy();
  else answerParserError(requestTimeout, request.socket);
}

const requestTimeout = Object.assign(new Error('the request took too long to arrive'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
});
