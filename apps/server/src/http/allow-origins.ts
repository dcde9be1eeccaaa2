import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/**
 * Lets dashboards on the listed origins use this server. The API's only credential is the bearer
 * token. Requests that authorise the real-time channel may carry cookies, and those that sign in carry the one that
 * recognises the device. The staff API is for this origin only.
 */
export const allowOrigins = fp(async (app: FastifyInstance, { origins }: { origins: readonly string[] }) => {
  if (origins.length === 0) return;
  const allowedOrigin = ({ headers: { origin }, url }: FastifyRequest) =>
    origin !== undefined &&
    origins.includes(origin) &&
    !/^\/(assets|builds|api\/staff)\//.test(decodedPathOf(url))
      ? origin
      : false;
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
      done(null, {
        origin: allowedOrigin(request),
        credentials: !/^\/api\/(?!login$|logout$|pass(word|key)\/|account\/password$)/.test(
          decodedPathOf(request.url),
        ),
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders,
        exposedHeaders: [
          'Accept-Ranges',
          'Content-Disposition',
          'Content-Range',
          'Retry-After',
          'X-Refetch-Within',
          'X-Request-Id',
        ],
        maxAge: 7200,
      }),
  });
  app.addHook('onRequest', async (request, reply) => {
    // Overrides Helmet's value, which would let only this origin read the response.
    if (allowedOrigin(request) !== false) reply.header('cross-origin-resource-policy', 'cross-origin');
  });
});

/** Returns the path that the router compares with its routes: `/%61pi` is `/api`. */
function decodedPathOf(url: string): string {
  const [path = ''] = url.split(/[?#;]/);
  return decodeURIComponent(path);
}

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Range',
  'X-Activity',
  'X-Client-Secret',
  'X-CSRF-TOKEN',
  'X-Requested-With',
  'X-Socket-Id',
  'X-XSRF-TOKEN',
];
