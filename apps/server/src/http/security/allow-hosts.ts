import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { createHostCheck } from '../../platform/requests/host-check.ts';

/** Rejects requests to other host names with 421, and warns about them. Health checks may use any name. */
export const allowHosts = fp(async (app: FastifyInstance, { hosts }: { hosts: readonly string[] }) => {
  if (hosts.length === 0) return;
  const servesHost = createHostCheck(hosts, (message) => app.log.warn(message));
  app.addHook('onRequest', (request, reply, next) => {
    const isHealthCheck = request.url === '/healthz' || request.url === '/readyz';
    if (isHealthCheck || servesHost(request.headers.host)) return next();
    const body = { message: 'This server does not serve this host name.', code: 'invalid_input' };
    void reply.code(421).header('cache-control', 'no-store').send(body);
  });
});
