import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

/**
 * Lets the dashboard of another origin use this server: the named origins alone. The API has the bearer token for its
 * only credential and takes no cookies; the channel's authorisation may be asked with some.
 */
export const allowOrigins = fp(async (app: FastifyInstance, { origins }: { origins: readonly string[] }) => {
  if (origins.length === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (/^\/(assets|builds)\//.test(request.url)) return;
    // Whoever keeps answers must not give one origin's to another.
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !origins.includes(origin)) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', exposedHeaders)
      // Helmet's own says that only this origin may have it.
      .header('cross-origin-resource-policy', 'cross-origin');
    if (!request.url.startsWith('/api/')) reply.header('access-control-allow-credentials', 'true');
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return;
    return reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', takenHeaders)
      .header('access-control-max-age', '7200')
      .send();
  });
});

const exposedHeaders = 'Accept-Ranges, Content-Disposition, Content-Range, Retry-After, X-Request-Id';

const takenHeaders =
  'Authorization, Content-Type, Idempotency-Key, Range, X-Activity, X-Client-Secret, X-CSRF-TOKEN, X-Requested-With, X-Socket-Id, X-XSRF-TOKEN';
