import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { answerError } from '../error-answers.ts';

/** Counts requests. Each function throws the DomainError `too_many_requests` above its limit. */
export interface RequestLimits {
  /** Every request that is not for a page, from one IP address, or from one network of IPv6. */
  countAddress(address: string): Promise<void>;
  /** A client’s requests that only read. */
  countRead(clientId: string): Promise<void>;
  /** A client’s requests that change something, on all servers together. */
  countChange(clientId: string): Promise<void>;
}

/** Counts a request of a signed-in client. */
export const countClient = (limits: RequestLimits, { method }: FastifyRequest, clientId: string) =>
  method === 'GET' || method === 'HEAD' ? limits.countRead(clientId) : limits.countChange(clientId);

/**
 * Limits the requests of an address before any other work, such as looking up tokens in the database. Pages and their
 * files are served from memory and not limited; the list of other builds’ files is read at most four times a second.
 *
 * The route decides, not the URL: `/%61pi/client` and `http://any/api/client` reach the route of `/api/client`.
 */
export const limitAddresses = fp(async (app: FastifyInstance, { limits }: { limits: RequestLimits }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (!isLimited(request)) return;
    try {
      await limits.countAddress(request.ip);
    } catch (error) {
      return answerError(error, request, reply);
    }
  });
});

function isLimited({ method, url, routeOptions }: FastifyRequest): boolean {
  const route = routeOptions.url ?? url;
  if (unlimited.test(route)) return false;
  return (method !== 'GET' && method !== 'HEAD') || readsDatabase.test(route);
}

/** Signed requests of the payment provider: they come from few addresses, and often. */
const unlimited = /^\/api\/webhooks\/:provider$/;
const readsDatabase = /^\/(api|broadcasting|firm)\//;
