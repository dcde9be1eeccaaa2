import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { answerError } from '../error-answers.ts';
import { policyOf } from '../route-policy.ts';

/** Counts requests. Each function throws the DomainError `too_many_requests` above its limit. */
export interface RequestLimits {
  /** Every request whose policy limits it, from one IP address, or from one network of IPv6. */
  countAddress(address: string): Promise<void>;
  /** A client’s requests that only read. */
  countRead(clientId: string): Promise<void>;
  /** A client’s requests that change something, on all servers together. */
  countChange(clientId: string): Promise<void>;
}

/** Counts a request of a signed-in client or member of staff. */
export const countClient = (limits: RequestLimits, request: FastifyRequest, clientId: string) =>
  isRead(request) ? limits.countRead(clientId) : limits.countChange(clientId);

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Limits the requests of an address before any other work, such as looking up tokens in the database. */
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

function isLimited(request: FastifyRequest): boolean {
  const { limit } = policyOf(request);
  return limit === 'all' || (limit === 'changes' && !isRead(request));
}
