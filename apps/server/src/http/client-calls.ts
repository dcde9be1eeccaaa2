import type { AccessToken, CallDefinition, CallKey } from '@keyturn/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { JsonText } from '../platform/reads/client-read.ts';
import { runWithSocketId } from '../platform/request-socket.ts';
import type { CallRequest, ReadCall, SignedInClient } from './call-handlers.ts';
import { type Authenticate, createClientAccess } from './client-access.ts';
import { cookieOf } from './cookies.ts';
import { deviceOf } from './device-cookie.ts';
import type { RequestLimits } from './limits/limit-requests.ts';
import { type CallAccess, nameCaller } from './register-calls.ts';
import {
  acceptsCookie,
  createHalves,
  isHalf,
  removeCookie,
  type SessionCookieOptions,
  storeInCookie,
} from './sign-in/session-cookie.ts';

export interface ClientCallOptions {
  authenticate: Authenticate;
  /** Whether clients reach the server over HTTPS, even if a proxy talks HTTP to it. False by default. */
  isHttps?: boolean;
  /** The origin of the dashboard; null: the one that the request was sent to. */
  origin?: string | null;
  /** Other origins whose dashboards may call this server. */
  allowedOrigins?: string[];
  /** Without it, no request is limited. */
  limits?: RequestLimits;
}

/** The handler of any call of the client API, for the code that does not depend on the call. */
export type ClientHandler = ((request: unknown) => Promise<unknown>) | ReadCall<CallKey>;

/** Creates the access to the calls of the client API, for anyone or by a client’s sign-in. */
export function clientCallAccess({
  authenticate,
  isHttps = false,
  origin = null,
  allowedOrigins = [],
  limits,
}: ClientCallOptions): CallAccess<CallDefinition, ClientHandler> {
  const cookies = { isHttps, origin };
  const access = createClientAccess(authenticate, cookies, limits);
  const isLive = async (token: string) => (await authenticate(token, { touch: false })) !== null;
  return {
    admit: (request, _reply, call, handler) => {
      if (call.access !== 'client') return;
      return typeof handler === 'function' ? access.admit(request) : access.admitRead(request);
    },
    readmit: (request, _reply, call) => (call.access === 'client' ? access.readmit(request) : undefined),
    handle: async (request, reply, call, handler) => {
      if (typeof handler !== 'function') {
        const input = request as Pick<CallRequest<CallKey>, 'params' | 'query'>;
        const answer = await access.read(request, handler.read(input));
        return answer instanceof JsonText ? answer : new JsonText(JSON.stringify(answer));
      }
      if (call.endsSession) forgetSession(request, reply, cookies);
      const halves = call.startsSession && acceptsCookie(request, cookies) ? createHalves() : null;
      const received = toCallRequest(request, reply, { isHttps, origin, allowedOrigins });
      const answer = await runWithSocketId(socketOf(request), () =>
        handler({ ...received, newToken: halves?.token }),
      );
      if (halves) {
        const { expires_in: lifetime } = answer as AccessToken;
        await storeInCookie(request, reply, { ...halves, lifetime, isLive, ...cookies });
      }
      return answer;
    },
    callerOf: (request) => request.signedInClient?.id,
  };
}

function forgetSession(request: FastifyRequest, reply: FastifyReply, cookies: SessionCookieOptions): void {
  // Clears only the cache, because storage has drafts of other tabs, and another cookie makes the device known.
  reply.header('clear-site-data', '"cache"');
  const { token = '' } = request.credential ?? {};
  if (isHalf(token)) removeCookie(request, reply, token, cookies);
}

type OriginOptions = Required<Pick<ClientCallOptions, 'isHttps' | 'origin' | 'allowedOrigins'>>;

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
  about: nameCaller(request),
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

declare module 'fastify' {
  interface FastifyRequest {
    signedInClient?: SignedInClient;
  }
}
