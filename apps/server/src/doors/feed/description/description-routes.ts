import { usualPolicy } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { pagePolicy } from '../../../http/route-policy.ts';
import { describeFeed } from './open-api.ts';
import { pageStyle, renderPage } from './render-page.ts';

/** Registers the page and the OpenAPI document that describe the feed over HTTP. Both are public. */
export const feedDescription = (version: string) => async (app: FastifyInstance) => {
  const page = renderPage(version);
  const description = JSON.stringify(describeFeed(version));
  app.get('/docs/api', { config: { policy: pagePolicy } }, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(page),
  );
  app.get('/docs/api.css', { config: { policy: pagePolicy } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(pageStyle),
  );
  app.get('/api/feed/openapi.json', { config: { policy: usualPolicy } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(description),
  );
};
