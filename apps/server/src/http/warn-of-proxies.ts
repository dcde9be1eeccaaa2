import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * Warns once when a request has passed a proxy although none is trusted: rate limits and logs would then count all
 * clients as one address, the proxy's.
 */
export const warnOfProxies = fp(async (app: FastifyInstance, options: { trustedProxies: number }) => {
  if (options.trustedProxies > 0) return;
  let hasWarned = false;
  app.addHook('onRequest', ({ headers, log }, _reply, next) => {
    const header = hasWarned ? undefined : forwardingHeaders.find((name) => headers[name] !== undefined);
    if (header) {
      hasWarned = true;
      log.warn(
        { header },
        'a proxy forwards requests, but KEYTURN_TRUSTED_PROXIES is 0: set it to the number of proxies, or all clients count as one address',
      );
    }
    next();
  });
});

const forwardingHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-real-ip',
  'x-forwarded-proto',
  'x-forwarded-host',
];
