import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { pagePolicy, requirePolicies } from './route-policy.ts';

test('a server with a route that does not state its policy does not start, and names the route', async () => {
  const app = Fastify();
  requirePolicies(app);
  app.get('/stated', { config: { policy: pagePolicy } }, async () => 'ok');
  app.get('/forgotten', async () => 'ok');
  await expect(app.ready()).rejects.toThrow('routes without a policy: GET /forgotten, HEAD /forgotten');
});
