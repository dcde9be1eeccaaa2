import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { Refusal } from '../platform/refusal.ts';
import { answerRefusal } from './error-answers.ts';

export interface ShedLoadOptions {
  /** Requests under way at once. */
  mostRequests: number;
  /** How late this process is with what it should have done by now, in milliseconds. */
  lag(): number;
  /** Told of each request that was sent away. */
  onShed?: (() => void) | undefined;
}

/**
 * Who comes when the server cannot keep up is asked at once to come again, before anything is done for them, rather
 * than kept waiting together with everybody else. Health, webhooks and what ends a payment are always let in.
 */
export const shedLoad = fp(async (app: FastifyInstance, options: ShedLoadOptions) => {
  const { mostRequests, lag, onShed } = options;
  let underWay = 0;
  app.addHook('onRequest', async (request, reply) => {
    if ((underWay >= mostRequests || lag() > longestLag) && !alwaysLetIn.test(request.url)) {
      onShed?.();
      return answerRefusal(new Refusal('unavailable', { retryAfter: comeAgainAfter }), reply);
    }
    underWay += 1;
    let isOver = false;
    const over = () => {
      if (!isOver) underWay -= 1;
      isOver = true;
    };
    // Whichever comes first: an answer that nobody waits for any more is never finished.
    reply.raw.once('finish', over);
    reply.raw.once('close', over);
  });
});

/** Milliseconds. */
const longestLag = 1_000;
/** Seconds. */
const comeAgainAfter = 5;

const alwaysLetIn = /^\/(healthz|readyz|api\/(webhooks|sandbox|payments)\/)/;
