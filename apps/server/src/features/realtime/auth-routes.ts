import { createHmac, timingSafeEqual } from 'node:crypto';
import { type App, type AuthResponse, authoriseChannel, authoriseUser } from '@keyturn/pusher-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { ClientRead } from '../../platform/reads/client-read.ts';
import { type ChannelAccess, decideChannelAccess, readChannelAccess } from './decide-channel-access.ts';
import type { Channels } from './ports.ts';

export interface AuthDependencies {
  app: App;
  channels: Pick<Channels, 'bind'>;
  /** Finds the client of an access token, or null; with the answer of `read`, from the same statement. */
  authenticate(
    token: string,
    options: { touch: boolean; read?: ClientRead<unknown> },
  ): Promise<AuthenticatedClient | null>;
  /** Counts a request of a client. @throws DomainError `too_many_requests` */
  countRequest(clientId: string): Promise<void>;
  /** Paths of the auth endpoints for channels and users. */
  paths: { channel: string; user: string };
  /** Name of the cookie with the session, if the dashboard is configured to use cookies; otherwise null. */
  authCookie: string | null;
  allowedOrigins: readonly string[];
  /**
   * Counts a client who may now fetch their data again.
   * @returns the milliseconds within which they should do so
   */
  refetchWithin(): number;
}

/**
 * Routes that authorise subscriptions and sign-ins: `POST /broadcasting/auth` and `/broadcasting/user-auth`. They
 * accept a bearer token, or the session cookie together with the token from `GET /broadcasting/csrf-cookie` in
 * `X-CSRF-TOKEN` or `X-XSRF-TOKEN`. Bodies are forms or JSON. `X-Refetch-Within` is the milliseconds within
 * which a dashboard should fetch again after a gap: it is longer when more clients return at the same time.
 */
export function broadcastingRoutes(dependencies: AuthDependencies) {
  const { app, channels, paths } = dependencies;

  const findClient = async (request: FastifyRequest, read?: ClientRead<unknown>) => {
    const client = await authenticateRequest(request, dependencies, read);
    await dependencies.countRequest(client.id);
    return client;
  };

  return async (server: FastifyInstance): Promise<void> => {
    server.removeAllContentTypeParsers();
    server.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    const bodyOf = ({ headers, body }: FastifyRequest) => ({
      contentType: headers['content-type'],
      text: typeof body === 'string' ? body : '',
    });

    server.post(paths.channel, async (request, reply) => {
      const client = await findClient(request, readChannelAccess);
      const decide = (channel: string) => decideChannelAccess(client.answer as ChannelAccess, channel);
      reply.header(refetchHeader, dependencies.refetchWithin());
      return send(reply, await authoriseChannel(app, bodyOf(request), decide), client);
    });
    server.post(paths.user, async (request, reply) => {
      const client = await findClient(request);
      return send(reply, authoriseUser(app, bodyOf(request), { id: client.id }), client);
    });
    server.get('/broadcasting/csrf-cookie', async (request, reply) => {
      const token = cookieToken(request, dependencies);
      const client = token === null ? null : await dependencies.authenticate(token, { touch: false });
      if (token === null || client === null) throw new DomainError('unauthenticated');
      await dependencies.countRequest(client.id);
      const isSecure = request.protocol === 'https' ? '; Secure' : '';
      reply.header('set-cookie', `XSRF-TOKEN=${csrfToken(app, token)}; Path=/; SameSite=Strict${isSecure}`);
      return reply.header('cache-control', 'no-store').code(204).send();
    });

    function send(reply: FastifyReply, response: AuthResponse, client: AuthenticatedClient) {
      const { status, body } = isForOwnConnection(response, client) ? response : anotherClientsConnection;
      return reply.code(status).header('cache-control', 'no-store').type('application/json').send(body);
    }

    /** Binds the connection to the session, so that it ends with the session. */
    function isForOwnConnection({ socketId }: AuthResponse, client: AuthenticatedClient): boolean {
      const bound = { session: client.sessionHash.toString('hex'), clientId: client.id };
      return socketId === null || channels.bind(socketId, bound);
    }
  };
}

const maxBodyBytes = 16 * 1024;

const refetchHeader = 'x-refetch-within';

const anotherClientsConnection = {
  status: 403,
  body: JSON.stringify({ message: 'This connection belongs to another client.' }),
};

interface AuthenticatedClient {
  id: string;
  sessionHash: Buffer;
  answer?: unknown;
}

/** @throws DomainError `unauthenticated` */
async function authenticateRequest(
  request: FastifyRequest,
  dependencies: AuthDependencies,
  read?: ClientRead<unknown>,
): Promise<AuthenticatedClient> {
  const token = bearerToken(request) ?? csrfCheckedCookieToken(request, dependencies);
  // An open page must not extend its session just by listening.
  const options = { touch: false, ...(read ? { read } : {}) };
  const client = token === null ? null : await dependencies.authenticate(token, options);
  if (!client) throw new DomainError('unauthenticated');
  return client;
}

const bearerToken = ({ headers }: FastifyRequest): string | null =>
  /^Bearer ([\w.~+/=-]{1,512})$/i.exec(headers.authorization ?? '')?.[1] ?? null;

/** Browsers send the cookie with requests from any page, but only pages of this origin can read the CSRF token. */
function csrfCheckedCookieToken(request: FastifyRequest, dependencies: AuthDependencies): string | null {
  const token = cookieToken(request, dependencies);
  const csrfHeader = request.headers['x-csrf-token'] ?? request.headers['x-xsrf-token'];
  if (token === null || typeof csrfHeader !== 'string' || !isOwnPage(request, dependencies)) return null;
  const expected = Buffer.from(csrfToken(dependencies.app, token));
  const actual = Buffer.from(csrfHeader);
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? token : null;
}

function isOwnPage({ headers, host }: FastifyRequest, { allowedOrigins }: AuthDependencies): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true;
  const { origin } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === undefined;
  return [`http://${host}`, `https://${host}`, ...allowedOrigins].includes(origin);
}

function cookieToken({ headers }: FastifyRequest, { authCookie }: AuthDependencies): string | null {
  const prefix = `${authCookie}=`;
  const pair = (headers.cookie ?? '').split('; ').find((cookie) => cookie.startsWith(prefix));
  if (authCookie === null || pair === undefined) return null;
  try {
    const session: unknown = JSON.parse(decodeURIComponent(pair.slice(prefix.length)));
    const token = (session as { value?: { access_token?: unknown } } | null)?.value?.access_token;
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}

/** Derived from the access token, so it is valid for one session only. */
const csrfToken = ({ secret }: App, token: string) =>
  createHmac('sha256', secret).update(`csrf ${token}`).digest('hex');
