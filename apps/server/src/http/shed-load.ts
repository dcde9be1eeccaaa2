import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { DomainError } from '../platform/domain-error.ts';
import { whenClosed } from './close-responses.ts';
import { answerDomainError } from './error-answers.ts';
import { policyOf } from './route-policy.ts';

export interface ShedLoadOptions {
  /** Requests in progress at the same time. */
  maxConcurrentRequests: number;
  /** The lag of the event loop, in milliseconds. */
  lag(): number;
  /** Called for each rejected request. */
  onShed?: (() => void) | undefined;
}

/**
 * Sheds load: rejects requests of normal priority with 503 and `Retry-After` while too many are in progress or the event
 * loop lags. Webhooks and requests for existing payments are always accepted, so that payments can finish.
 */
export const shedLoad = fp(async (app: FastifyInstance, options: ShedLoadOptions) => {
  const { maxConcurrentRequests, lag, onShed } = options;
  let inProgress = 0;
  app.addHook('onRequest', (request, reply, next) => {
    const { priority } = policyOf(request);
    if (priority === 'uncounted') return next();
    if ((inProgress >= maxConcurrentRequests || lag() > maxLag) && priority !== 'high') {
      onShed?.();
      void answerDomainError(new DomainError('unavailable', { retryAfter }), reply);
      return;
    }
    inProgress += 1;
    void whenClosed(reply.raw).then(() => {
      inProgress -= 1;
    });
    next();
  });
});

/** Milliseconds. */
const maxLag = 1_000;
/** Seconds. */
const retryAfter = 5;
