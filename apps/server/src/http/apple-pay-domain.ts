import type { FastifyInstance } from 'fastify';
import { pagePolicy } from './route-policy.ts';

/** Serves the file with which Apple verifies the domain for Apple Pay. Without it, the path is unknown. */
export const applePayDomain =
  (association: string) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(
      '/.well-known/apple-developer-merchantid-domain-association',
      { config: { policy: pagePolicy } },
      async (_request, reply) => reply.type('text/plain; charset=utf-8').send(association),
    );
  };
