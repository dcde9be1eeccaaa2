import type { HttpApiRequest, HttpApiResponse } from '@keyturn/pusher-protocol';
import type { FastifyInstance } from 'fastify';

/** The HTTP API of the Pusher protocol, below `/apps`: signed with the secret, for servers and never for browsers. */
export function channelApiRoutes(answer: (request: HttpApiRequest) => HttpApiResponse) {
  return async (server: FastifyInstance): Promise<void> => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    server.route({
      method: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'],
      url: '/apps/*',
      // Signatures go over the address as it was sent, and never into the log.
      handler: async ({ method, url, body }, reply) => {
        const question = url.indexOf('?');
        const { status, body: text } = answer({
          method,
          path: question < 0 ? url : url.slice(0, question),
          query: question < 0 ? '' : url.slice(question + 1),
          body: Buffer.isBuffer(body) ? body : new Uint8Array(),
        });
        return reply.code(status).header('cache-control', 'no-store').type('application/json').send(text);
      },
    });
  };
}

/** A batch of ten of the longest events. */
const maxBodyBytes = 128 * 1024;
