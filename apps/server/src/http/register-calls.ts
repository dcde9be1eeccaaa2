import { isDeepStrictEqual } from 'node:util';
import {
  type AccessToken,
  type CallDefinition,
  type CallKey,
  calls,
  type Maintenance,
  type MaintenanceNotice,
} from '@keyturn/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../platform/domain-error.ts';
import { JsonText } from '../platform/reads/client-read.ts';
import { runWithSocketId } from '../platform/request-socket.ts';
import { answerFile } from './answer-file.ts';
import type {
  AnsweredCalls,
  CallRequest,
  FileAnswer,
  ReadCall,
  RequestSubject,
  SignedInClient,
} from './call-handlers.ts';
import { inputChecks, isMutating, routeSchema } from './call-routes.ts';
import { type Authenticate, createClientAccess } from './client-access.ts';
import { createSerialiserCompiler, createValidatorCompiler } from './compile-schemas.ts';
import { cookieOf } from './cookies.ts';
import { deviceOf } from './device-cookie.ts';
import { limitDownloads, maxDownloads, warnOfDownloads } from './limits/limit-downloads.ts';
import type { RequestLimits } from './limits/limit-requests.ts';
import {
  type CookieSignIn,
  removeCookie,
  type SessionCookieOptions,
  storeInCookie,
} from './sign-in/session-cookie.ts';

export interface CallDependencies {
  handlers: AnsweredCalls;
  authenticate: Authenticate;
  /** Returns the areas in maintenance now. */
  readMaintenance(): Maintenance | Promise<Maintenance>;
  /** Milliseconds without progress after which a download is aborted. */
  downloadPatience?: number;
  /** Whether clients reach the server over HTTPS, even if a proxy talks HTTP to it. False by default. */
  isHttps?: boolean;
  /** The origin of the dashboard; null: the one that the request was sent to. */
  origin?: string | null;
  /** Other origins whose dashboards may call this server. */
  allowedOrigins?: string[];
  /** Whether to check that answers from PostgreSQL match the contract, for development and tests. */
  provesAnswers?: boolean;
  /** Without it, no request is limited. */
  limits?: RequestLimits;
}

/**
 * Registers a route for every call of the contract, which validates the request and limits the response to its schema.
 */
export function registerCalls(
  app: FastifyInstance,
  {
    handlers,
    authenticate,
    readMaintenance,
    downloadPatience = 30_000,
    isHttps = false,
    origin = null,
    allowedOrigins = [],
    provesAnswers = false,
    limits,
  }: CallDependencies,
): void {
  app.setValidatorCompiler(createValidatorCompiler());
  app.setSerializerCompiler(createSerialiserCompiler());
  const downloads = limitDownloads(maxDownloads, warnOfDownloads(app));
  const cookies = { isHttps, origin };
  const access = createClientAccess(authenticate, cookies, limits);
  const isLive = async (token: string) => (await authenticate(token, { touch: false })) !== null;
  for (const key of Object.keys(calls) as CallKey[]) {
    const call: CallDefinition = calls[key];
    const [method, path] = key.split(' ') as [string, string];
    const handler = handlers[key] as ((request: unknown) => Promise<unknown>) | ReadCall<CallKey>;
    const isRead = typeof handler !== 'function';
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { policy: call },
      schema: routeSchema(key, call, { security: call.access === 'client' ? [{ bearer: [] }] : [] }),
      onRequest: async (request) => {
        if (!call.duringMaintenance) {
          const maintenance = readMaintenance();
          refuseInMaintenance(call, maintenance instanceof Promise ? await maintenance : maintenance);
        }
        if (call.access === 'client') await (isRead ? access.admitRead(request) : access.admit(request));
      },
      ...inputChecks(call),
      handler: async (request, reply) => {
        if (call.access === 'client' && isMutating(request)) await access.readmit(request);
        const work = () =>
          isRead
            ? access.read(request, handler.read(request as Pick<CallRequest<CallKey>, 'params' | 'query'>))
            : runWithSocketId(socketOf(request), () =>
                handler(toCallRequest(request, reply, { isHttps, origin, allowedOrigins })),
              );
        if (call.file) {
          const file = await downloads.during(request.signedInClient?.id ?? '', reply.raw, work);
          return answerFile(file as FileAnswer, request, reply, downloadPatience);
        }
        if (call.endsSession) forgetSession(request, reply, cookies);
        const answer = await work();
        reply.header('cache-control', 'no-store');
        if (call.startsSession) {
          const token = answer as AccessToken;
          return { data: await answerSignIn(request, reply, { token, isLive, ...cookies }) };
        }
        if (isRead) {
          const data = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
          const text = call.meta ? data : `{"data":${data}}`;
          if (provesAnswers) proveAnswer(text, reply);
          return reply.type('application/json; charset=utf-8').send(text);
        }
        if (!call.data) return reply.code(204).send();
        return call.meta ? answer : { data: answer };
      },
    });
  }
}

/** Returns the token only to a request that has not asked for a cookie. */
const answerSignIn = async (request: FastifyRequest, reply: FastifyReply, signIn: CookieSignIn) =>
  request.headers['x-session'] === 'cookie' ? storeInCookie(request, reply, signIn) : signIn.token;

function forgetSession(request: FastifyRequest, reply: FastifyReply, cookies: SessionCookieOptions): void {
  // Clears only the cache, because storage has drafts of other tabs, and another cookie makes the device known.
  reply.header('clear-site-data', '"cache"');
  if (request.headers.authorization === undefined) removeCookie(request, reply, cookies);
}

/** @throws Error if the serialiser of the contract would add, remove or change anything */
function proveAnswer(text: string, reply: FastifyReply): void {
  const answer: unknown = JSON.parse(text);
  const serialise = reply.getSerializationFunction('200');
  if (!serialise || !isDeepStrictEqual(JSON.parse(serialise(answer as Record<string, unknown>)), answer)) {
    throw new Error(`an answer is not as the contract has it: ${text.slice(0, 1_000)}`);
  }
}

type OriginOptions = Required<Pick<CallDependencies, 'isHttps' | 'origin' | 'allowedOrigins'>>;

const toCallRequest = (request: FastifyRequest, reply: FastifyReply, options: OriginOptions) => ({
  params: request.params,
  query: request.query,
  body: request.body,
  idempotencyKey: request.headers['idempotency-key'],
  client: request.signedInClient,
  address: request.ip,
  userAgent: request.headers['user-agent'] ?? null,
  device: deviceOf(request, reply, options),
  challenge: cookieOf(request, reply, { name: 'keyturn-challenge', isHttps: options.isHttps }),
  origin: originOf(request, options),
  about: (subject: RequestSubject) => {
    request.subject = { ...request.subject, ...subject };
  },
});

/** Passkeys belong to the origin of the dashboard, which may be another than that of the API. */
function originOf(request: FastifyRequest, { isHttps, origin, allowedOrigins }: OriginOptions): string {
  const sent = request.headers.origin;
  if (sent !== undefined && allowedOrigins.includes(sent)) return sent;
  return origin ?? `${isHttps ? 'https' : request.protocol}://${request.host}`;
}

/** Returns the socket id of the request; undefined if the header is missing or malformed. */
function socketOf({ headers }: FastifyRequest): string | undefined {
  const socketId = headers['x-socket-id'];
  return typeof socketId === 'string' && /^\d{1,20}\.\d{1,20}$/.test(socketId) ? socketId : undefined;
}

function refuseInMaintenance(call: CallDefinition, { general, case_history }: Maintenance) {
  const notice = general ?? (call.area === 'case-history' ? case_history : null);
  if (!notice) return;
  throw new DomainError('maintenance', {
    ...(notice.message ? { message: notice.message } : {}),
    retryAfter: secondsUntilOver(notice),
  });
}

/** Returns the seconds until maintenance is expected to end, for `Retry-After`: from 30 seconds to an hour. */
export function secondsUntilOver({ until }: Pick<MaintenanceNotice, 'until'>): number {
  const seconds = until ? Math.ceil((Date.parse(until) - Date.now()) / 1000) : 0;
  return Math.min(Math.max(seconds, 30), 3600);
}

declare module 'fastify' {
  interface FastifyRequest {
    signedInClient?: SignedInClient;
    /** The caller for the log, of calls that need no token or whose statement checks it. */
    subject?: RequestSubject;
  }
}
