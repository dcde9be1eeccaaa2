import { defaultLimits, type HttpApiRequest, type HttpApiResponse } from '@keyturn/pusher-protocol';
import type { FastifyInstance } from 'fastify';

/**
 * Routes of the Pusher HTTP API under `/apps`. Requests are signed with the secret: for servers, never for browsers.
 */
export function channelApiRoutes(handleRequest: (request: HttpApiRequest) => HttpApiResponse) {
  return async (server: FastifyInstance): Promise<void> => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: defaultLimits.requestBytes },
      (_request, body, done) => done(null, body),
    );
    server.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: '/apps/*',
      // The signature covers the URL before decoding. It must not be logged.
      handler: async ({ method, url, body }, reply) => {
        const queryStart = url.indexOf('?');
        const { status, body: text } = handleRequest({
          method,
          path: queryStart < 0 ? url : url.slice(0, queryStart),
          query: queryStart < 0 ? '' : url.slice(queryStart + 1),
          body: Buffer.isBuffer(body) ? body : new Uint8Array(),
        });
        return reply.code(status).header('cache-control', 'no-store').type('application/json').send(text);
      },
    });
  };
}
