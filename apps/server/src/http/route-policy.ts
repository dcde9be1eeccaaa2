import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How requests to this route are treated. The calls of the contract have it in their definition. */
    policy?: RequestPolicy;
  }
}

/** The policy of pages and their files, which are served from memory, and of paths without a route. */
export const pagePolicy: RequestPolicy = {
  cookies: 'no-other-origin',
  priority: 'uncounted',
  limit: 'changes',
  log: 'request',
};

/** The policy of requests that are made so often that they are not logged, such as health checks. */
export const unloggedPolicy: RequestPolicy = { ...pagePolicy, log: 'nothing' };

/** The policy of paths below `/api` without a route. */
export const unknownCallPolicy: RequestPolicy = usualPolicy;

/**
 * Returns the policy of the route that a request has reached. The route decides, not the URL, which has many spellings:
 * `/%61pi/client` and `http://any/api/client` reach the route of `/api/client`.
 */
export const policyOf = ({ routeOptions }: FastifyRequest): RequestPolicy =>
  routeOptions.config.policy ?? pagePolicy;

/** Makes the start fail if a route that is registered after this does not state its policy. */
export function requirePolicies(app: FastifyInstance): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    const without = routes
      .filter(({ config }) => !config?.policy)
      .map(({ method, url }) => `${method} ${url}`);
    if (without.length > 0) throw new Error(`routes without a policy: ${without.join(', ')}`);
  });
}

/** Gives the routes that `@fastify/static` registers after this the policy of pages. */
export function treatFilesAsPages(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config && 'rootPath' in route.config) route.config.policy ??= pagePolicy;
  });
}
