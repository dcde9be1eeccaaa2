import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { RequestPolicy } from '@keyturn/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { pagePolicy, policyOf, unknownCallPolicy } from './route-policy.ts';

/**
 * Lets dashboards on the listed origins make the requests whose policy allows it. The API's only credential for them is
 * the bearer token: few of their requests may carry cookies.
 */
export const allowOrigins = fp(async (app: FastifyInstance, { origins }: { origins: readonly string[] }) => {
  if (origins.length === 0) return;
  const findPolicy = keepPolicies(app);
  const allowedOrigin = (request: FastifyRequest, { cookies }: RequestPolicy) => {
    const { origin } = request.headers;
    return origin !== undefined && origins.includes(origin) && cookies !== 'no-other-origin' ? origin : false;
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) => {
      const policy = findPolicy(request);
      done(null, {
        origin: allowedOrigin(request, policy),
        credentials: policy.cookies === 'allowed-origins',
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
      });
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    // Overrides Helmet's value, which would let only this origin read the response.
    if (allowedOrigin(request, findPolicy(request)) !== false)
      reply.header('cross-origin-resource-policy', 'cross-origin');
  });
});

/**
 * Adds a route for the preflight request of each route that is registered after this: a browser asks with `OPTIONS`
 * whether it may make a request.
 * @returns a function that finds the policy of a request or, for a preflight request, that of the request it announces
 */
function keepPolicies(app: FastifyInstance): (request: FastifyRequest) => RequestPolicy {
  const policies = new Map<string, RequestPolicy>();
  const urls = new Set<string>();
  app.addHook('onRoute', (route) => {
    const { method, url } = route;
    // The routes of the two plugins that know no policy: files, and other preflight requests.
    route.config = { policy: pagePolicy, ...route.config };
    const { policy = pagePolicy } = route.config;
    for (const each of [method].flat()) policies.set(`${each} ${url}`, policy);
    if (urls.has(url) || method === 'OPTIONS') return;
    urls.add(url);
    addPreflight(app, url, policy);
  });
  addPreflight(app, '/api/*', unknownCallPolicy);
  return (request) => {
    const announced = request.headers['access-control-request-method'];
    const isPreflight = request.method === 'OPTIONS' && announced !== undefined;
    const ofAnnounced = isPreflight && policies.get(`${announced} ${request.routeOptions.url}`);
    return ofAnnounced || policyOf(request);
  };
}

/** A preflight request that is allowed is answered before it reaches the handler. */
const addPreflight = (app: FastifyInstance, url: string, policy: RequestPolicy) =>
  app.options(url, { schema: { hide: true } as object, config: { policy } }, (_request, reply) =>
    reply.callNotFound(),
  );

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Range',
  'X-Activity',
  'X-Client-Secret',
  'X-Cookies',
  'X-CSRF-TOKEN',
  'X-Requested-With',
  'X-Socket-Id',
  'X-XSRF-TOKEN',
];
