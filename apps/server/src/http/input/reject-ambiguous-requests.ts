import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { decodePercent } from '../../platform/requests/decode-percent.ts';
import { answerDomainError, unknownPath } from '../error-answers.ts';

/**
 * Rejects requests that two programs could read differently: a first line without a version (HTTP 0.9, whose responses
 * have no headers), a second or malformed `Host` header, and a path that cannot be decoded. A browser is redirected from
 * such a path to the page that shows it.
 */
export const rejectAmbiguousRequests = fp(async (app: FastifyInstance) => {
  app.addHook('onRequest', (request, reply, next) => {
    if (request.raw.httpVersionMajor < 1) {
      answerInvalid(reply, 'The request does not name a version of HTTP.');
    } else if (countHosts(request.raw) > 1) {
      answerInvalid(reply, 'The request has more than one Host header.');
    } else if (!hasOrigin(request) && !isHealthCheck.test(request.url)) {
      answerInvalid(reply, 'The Host header of the request, or what a proxy has added, is not valid.');
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

function answerInvalid(reply: FastifyReply, message: string): void {
  void reply.code(400).header('cache-control', 'no-store').send({ message, code: 'invalid_input' });
}

/** Whether the protocol and host of the request can be part of a URL: redirects and passkeys use them. */
const hasOrigin = ({ protocol, host }: FastifyRequest): boolean =>
  /^https?$/i.test(protocol) && /^[^/\\?#@\s]+$/.test(host) && URL.canParse(`http://${host}`);

/** Some load balancers send health checks without a host. */
const isHealthCheck = /^\/(healthz|readyz)$/;

/**
 * Escapes the percent signs of a path that cannot be decoded, so that the router accepts the request and its response
 * gets the same headers as all others.
 */
export function escapeUndecodablePath({ url = '/' }: { url?: string | undefined }): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  if (decodePercent(path) !== null) return url;
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

/** A request line in absolute form names a host, which is not redirected to. */
const isPage = ({ method, url }: FastifyRequest) =>
  method === 'GET' && /^[/\\]/.test(url) && !/^\/(api|assets|builds)(\/|$)/.test(url);

/** Node.js keeps only the first of several `Host` headers; a proxy may have used another one. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}
