import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { policyOf } from './route-policy.ts';

/** An answered request, with few distinct values so that it can be counted in metrics. */
export interface Answered {
  method: string;
  /** The pattern, such as `/api/payments/:id`, and never the path. */
  route: string;
  status: number;
  seconds: number;
}

export interface LogRequestsOptions {
  onAnswered?: ((answered: Answered) => void) | undefined;
  /** Key of the hashes that represent email addresses in the log; without one, no hashes are logged. */
  emailHashKey?: string | undefined;
}

/**
 * Logs a line for each request, with its id, route and client, and a second one for events that matter to an audit:
 * sign-ins, rejected requests, payments and signatures.
 */
export const logRequests = fp(
  async (app: FastifyInstance, { onAnswered, emailHashKey }: LogRequestsOptions) => {
    app.addHook('onResponse', (request, reply, next) => {
      const route = patternOf(request);
      const method = methodOf(request);
      onAnswered?.({ method, route, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 });
      if (policyOf(request).log !== 'nothing') logRequest(request, reply, { method, route, emailHashKey });
      next();
    });
  },
);

function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { method, route, emailHashKey }: { method: string; route: string; emailHashKey: string | undefined },
): void {
  const whose = {
    client: request.signedInClient?.id ?? request.subject?.client,
    staff: request.signedInStaff?.id ?? request.subject?.staff,
    email_hash: emailHashKey && request.subject?.email && hashEmail(request.subject.email, emailHashKey),
  };
  const { url: path, log } = request;
  const { statusCode: status } = reply;
  log.info(
    { event: 'request', method, route, path, status, ms: Math.round(reply.elapsedTime), ...whose },
    'request',
  );
  const event = eventOf(request, route, status);
  if (event) log.info({ event, outcome: outcomeOf(reply), ...whose, address: request.ip }, event);
}

declare module 'fastify' {
  interface FastifyReply {
    /** The error code of the contract, if the request was rejected. */
    errorCode?: string;
  }
}

/** Returns 128 bits of the HMAC-SHA-256 of an email address: the same for every spelling, useless without the key. */
const hashEmail = (email: string, key: string) =>
  createHmac('sha256', key).update(email.trim().toLowerCase()).digest('hex').slice(0, 32);

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns the method, and `other` for unusual ones, which clients can make up. */
export const methodOf = ({ method }: FastifyRequest): string => (methods.has(method) ? method : 'other');

/** Returns the route pattern. Files have one route each and count together, as do paths without a route. */
export function patternOf({ routeOptions, url: path }: FastifyRequest): string {
  const { url } = routeOptions;
  if (url === undefined) return path.startsWith('/api/') ? '/api/*' : '/*';
  if (url.startsWith('/assets/')) return '/assets/*';
  return /\.\w+$|\*/.test(url) && !url.startsWith('/api/') ? '/*' : url;
}

function eventOf(request: FastifyRequest, route: string, status: number): string | undefined {
  const { log } = policyOf(request);
  if (log !== 'request') return log;
  // A record of another client and one that does not exist look the same; both may be an attempt to guess.
  const isRejected = status === 401 || status === 403 || (status === 404 && route.includes(':'));
  return isRejected ? 'access-denied' : undefined;
}

const outcomeOf = ({ statusCode, errorCode }: FastifyReply) =>
  statusCode < 400 ? 'ok' : (errorCode ?? `rejected with ${statusCode}`);
