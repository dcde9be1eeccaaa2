import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { answerDomainError, unknownPath } from './error-answers.ts';

/**
 * Rejects requests that two programs could read differently: a second `Host` header, and a path that cannot be decoded.
 * A browser is redirected from such a path to the page that shows it.
 */
export const rejectAmbiguousRequests = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, reply, next) => {
    if (countHosts(request.raw) > 1) {
      const body = { message: 'The request has more than one Host header.', code: 'invalid_input' };
      void reply.code(400).header('cache-control', 'no-store').send(body);
    } else if (request.originalUrl === request.url) {
      next();
    } else if (isPage(request)) {
      // Browsers treat a backslash like a slash, and two of either as the start of another host.
      void reply.redirect(request.url.replaceAll('\\', '%5C').replace(/^(\/|%5C)+/i, '/'), 302);
    } else {
      void answerDomainError(unknownPath(), reply);
    }
  });
});

/**
 * Escapes the percent signs of a path that cannot be decoded, so that the router accepts the request and its response
 * gets the headers of every other.
 */
export function escapeUndecodablePath({ url = '/' }: { url?: string | undefined }): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (isDecodable(path)) return url;
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const isPage = ({ method, url }: FastifyRequest) =>
  method === 'GET' && !/^\/(api|assets|builds)(\/|$)/.test(url);

/** Node.js keeps only the first of several `Host` headers; a proxy may have decided by another. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}
