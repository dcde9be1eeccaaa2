import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { closeWithConnection } from './close-responses.ts';
import { limitArrival } from './limits/limit-arrival.ts';
import type { Answered } from './log-requests.ts';

/** Requests of the firm's own programs, which are answered before any hook of a page or of the API. */
export interface SignedRequests {
  /** The prefixes of their URLs, such as `/apps/`. */
  prefix: string;
  /** Answers a request; resolves with the status, or null if the request was cut off. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<number | null>;
  /** Finds the IP address that a request comes from. */
  addressOf(request: IncomingMessage): string;
}

export interface SignedRequestOptions {
  signedRequests: SignedRequests | undefined;
  onAnswered: ((answered: Answered) => void) | undefined;
  log(): Pick<FastifyBaseLogger, 'info' | 'error'>;
  /** The time, in milliseconds, within which the body of a request must arrive, unless its route allows more. */
  arrival: number;
  /** Whether each connection is closed after its next response. */
  isClosing(): boolean;
  http: ServerOptions;
}

/**
 * Creates the HTTP server. Signed requests are handled separately, all others by Fastify. Only rejected signed
 * requests are logged, because there can be thousands a second.
 */
export function createHttpServer(fastify: RequestListener, options: SignedRequestOptions): Server {
  const { signedRequests, arrival, isClosing } = options;
  return createServer(options.http, (request, response) => {
    if (!closeWithConnection(request, response)) return;
    limitArrival(request, response, arrival);
    if (isClosing()) response.setHeader('connection', 'close');
    if (signedRequests && request.url?.startsWith(signedRequests.prefix))
      void answerSigned(signedRequests, request, response, options);
    else fastify(request, response);
  });
}

async function answerSigned(
  { prefix, answer, addressOf }: SignedRequests,
  request: IncomingMessage,
  response: ServerResponse,
  { onAnswered, log }: SignedRequestOptions,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const status = await answer(request, response);
    if (status === null) return;
    const { method = '', url = '' } = request;
    const route = `${prefix}*`;
    onAnswered?.({ method, route, status, seconds: (performance.now() - startedAt) / 1_000 });
    if (status < 400) return;
    const event = status === 401 ? 'access-denied' : 'request';
    log().info({ event, method, route, path: url, status, address: addressOf(request) }, event);
  } catch (error) {
    log().error(error);
    response.destroy();
  }
}
