import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { loggedPath } from './logger-options.ts';

/** An answer that was given, in words of which there are few: fit for counting. */
export interface Answered {
  method: string;
  /** The pattern, such as `/api/payments/:id`, and never the path. */
  route: string;
  status: number;
  seconds: number;
}

export interface LogRequestsOptions {
  onAnswered?: ((answered: Answered) => void) | undefined;
}

/**
 * A line for each request, with its id, its pattern and whose it was; and one in the same form for each event that
 * somebody may want to look for later: who came in, who was refused, what was paid and signed.
 */
export const logRequests = fp(async (app: FastifyInstance, { onAnswered }: LogRequestsOptions) => {
  app.addHook('onResponse', async (request, reply) => {
    const route = patternOf(request);
    const method = methods.has(request.method) ? request.method : 'other';
    onAnswered?.({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
    if (unlogged.has(route)) return;
    const client = request.signedInClient?.id;
    request.log.info(
      {
        event: 'request',
        method,
        route,
        path: loggedPath(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        client,
      },
      'request',
    );
    const event = eventOf(method, route, reply.statusCode);
    if (event) request.log.info({ event, outcome: outcomeOf(reply), client, address: request.ip }, event);
  });
});

declare module 'fastify' {
  interface FastifyReply {
    /** Of the contract, where the request was refused. */
    refusalCode?: string;
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const unlogged = new Set(['/healthz', '/readyz']);

/** Every file has a route of its own, and whatever has none is the page's: each of these is one. */
function patternOf({ routeOptions, url: asked }: FastifyRequest): string {
  const { url } = routeOptions;
  if (url === undefined) return asked.startsWith('/api/') ? '/api/*' : '/*';
  if (url.startsWith('/assets/')) return '/assets/*';
  return /\.\w+$|\*/.test(url) && !url.startsWith('/api/') ? '/*' : url;
}

function eventOf(method: string, route: string, status: number): string | undefined {
  const named = events[`${method} ${route}`];
  if (named) return named;
  // Somebody else's, or nobody's: it cannot be told from outside, and may be somebody trying.
  const isRefused = status === 401 || status === 403 || (status === 404 && /^\/api\/.*:/.test(route));
  return isRefused ? 'access-refused' : undefined;
}

const outcomeOf = ({ statusCode, refusalCode }: FastifyReply) =>
  statusCode < 400 ? 'ok' : (refusalCode ?? `refused with ${statusCode}`);

const events: Record<string, string> = {
  'POST /api/login': 'sign-in',
  'POST /api/logout': 'sign-out',
  'POST /api/password/forgot': 'password-link-asked-for',
  'POST /api/password/reset': 'password-set',
  'POST /api/case-searches/:id/payments': 'payment-asked-for',
  'POST /api/other-payments': 'payment-asked-for',
  'POST /api/payments/:id/cancel': 'payment-cancelled',
  'POST /api/webhooks/:provider': 'webhook',
  'POST /api/documents/:id/signature': 'document-signed',
};
