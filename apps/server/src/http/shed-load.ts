import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { DomainError } from '../platform/domain-error.ts';
import { answerDomainError } from './error-answers.ts';

export interface ShedLoadOptions {
  /** Requests under way at once. */
  maxConcurrentRequests: number;
  /** How late this process is with what it should have done by now, in milliseconds. */
  lag(): number;
  /** Told of each request that was sent away. */
  onShed?: (() => void) | undefined;
}

/**
 * Who comes when the server cannot keep up is asked at once to come again, before anything is done for them, rather
 * than kept waiting together with everybody else. Webhooks and what ends a payment are always let in.
 */
export const shedLoad = fp(async (app: FastifyInstance, options: ShedLoadOptions) => {
  const { maxConcurrentRequests, lag, onShed } = options;
  let underWay = 0;
  app.addHook('onRequest', async (request, reply) => {
    // The page and its files come out of memory, and the page says by itself that there is too much to do.
    if (!asksMuch.test(request.url)) return;
    if ((underWay >= maxConcurrentRequests || lag() > longestLag) && !alwaysLetIn.test(request.url)) {
      onShed?.();
      return answerDomainError(new DomainError('unavailable', { retryAfter: comeAgainAfter }), reply);
    }
    underWay += 1;
    const unanswered = unansweredOn(request.raw.socket);
    const over = () => {
      if (unanswered.delete(over)) underWay -= 1;
    };
    unanswered.add(over);
    // Whichever comes first: an answer that nobody waits for any more is never finished.
    reply.raw.once('finish', over);
    reply.raw.once('close', over);
  });
});

/**
 * What ends each request of a connection that has no answer yet. When the connection breaks, an answer that waits behind
 * another one is told nothing of it.
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

/** Milliseconds. */
const longestLag = 1_000;
/** Seconds. */
const comeAgainAfter = 5;

const asksMuch = /^\/(api|broadcasting)\//;
const alwaysLetIn = /^\/api\/(webhooks|sandbox|payments)\//;
