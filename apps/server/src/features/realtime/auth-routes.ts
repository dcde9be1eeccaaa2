import { createHmac, timingSafeEqual } from 'node:crypto';
import { type App, type AuthResponse, authoriseChannel, authoriseUser } from '@keyturn/pusher-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { decideChannelAccess } from './decide-channel-access.ts';
import type { Channels } from './ports.ts';
import { createRateLimiter } from './rate-limiter.ts';

export interface AuthDependencies {
  database: Database;
  app: App;
  channels: Pick<Channels, 'bind'>;
  /** The client of an access token, or null. */
  authenticate(
    token: string,
    options: { touch: boolean },
  ): Promise<{ id: string; sessionHash: Buffer } | null>;
  /** Where channels and where users are authorised. */
  paths: { channel: string; user: string };
  /** The cookie in which the dashboard keeps its sign-in where it is told to use cookies; null: it does not. */
  authCookie: string | null;
  allowedOrigins: readonly string[];
}

/**
 * Who may listen to what: `POST /broadcasting/auth` and `/broadcasting/user-auth`, by bearer token, or by the sign-in
 * cookie together with the token of `GET /broadcasting/csrf-cookie` in `X-CSRF-TOKEN` or `X-XSRF-TOKEN`. Bodies are
 * forms or JSON. 200 is the only yes.
 */
export function broadcastingRoutes(dependencies: AuthDependencies) {
  const { database, app, channels, paths } = dependencies;

  const limit = createRateLimiter(authorisationLimit);
  const asking = async (request: FastifyRequest) => {
    const client = await authenticateRequest(request, dependencies);
    limit(client.id);
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
      const client = await asking(request);
      const decide = (channel: string) => decideChannelAccess(database, client.id, channel);
      return send(reply, await authoriseChannel(app, bodyOf(request), decide), client);
    });
    server.post(paths.user, async (request, reply) => {
      const client = await asking(request);
      return send(reply, authoriseUser(app, bodyOf(request), { id: client.id }), client);
    });
    server.get('/broadcasting/csrf-cookie', async (request, reply) => {
      const token = cookieToken(request, dependencies);
      if (token === null) throw new DomainError('unauthenticated');
      const isSecure = request.protocol === 'https' ? '; Secure' : '';
      reply.header('set-cookie', `XSRF-TOKEN=${csrfToken(app, token)}; Path=/; SameSite=Strict${isSecure}`);
      return reply.header('cache-control', 'no-store').code(204).send();
    });

    function send(
      reply: FastifyReply,
      { status, body, socketId }: AuthResponse,
      client: AuthenticatedClient,
    ) {
      // From here on the connection lives no longer than the sign-in that it is authorised by.
      if (socketId !== null) {
        channels.bind(socketId, { session: client.sessionHash.toString('hex'), clientId: client.id });
      }
      return reply.code(status).header('cache-control', 'no-store').type('application/json').send(body);
    }
  };
}

const maxBodyBytes = 4 * 1024;

/** Ten tabs with all their channels come back together, and twice. */
const authorisationLimit = { times: 120, within: 10_000 };

interface AuthenticatedClient {
  id: string;
  sessionHash: Buffer;
}

/** @throws DomainError `unauthenticated` */
async function authenticateRequest(
  request: FastifyRequest,
  dependencies: AuthDependencies,
): Promise<AuthenticatedClient> {
  const token = bearerToken(request) ?? provenCookieToken(request, dependencies);
  // Listening is not use: a page that is left open does not stay signed in by it.
  const client = token === null ? null : await dependencies.authenticate(token, { touch: false });
  if (!client) throw new DomainError('unauthenticated');
  return client;
}

const bearerToken = ({ headers }: FastifyRequest): string | null =>
  /^Bearer ([\w.~+/=-]{1,512})$/i.exec(headers.authorization ?? '')?.[1] ?? null;

/** A cookie goes along with what any page asks: only who can read this origin's cookies has the other token as well. */
function provenCookieToken(request: FastifyRequest, dependencies: AuthDependencies): string | null {
  const token = cookieToken(request, dependencies);
  const given = request.headers['x-csrf-token'] ?? request.headers['x-xsrf-token'];
  if (token === null || typeof given !== 'string' || !isOwnPage(request, dependencies)) return null;
  const expected = Buffer.from(csrfToken(dependencies.app, token));
  const proof = Buffer.from(given);
  return proof.length === expected.length && timingSafeEqual(proof, expected) ? token : null;
}

function isOwnPage({ headers, host }: FastifyRequest, { allowedOrigins }: AuthDependencies): boolean {
  if (headers['sec-fetch-site'] === 'same-origin') return true;
  const { origin } = headers;
  if (origin === undefined) return headers['sec-fetch-site'] === undefined;
  return [`http://${host}`, `https://${host}`, ...allowedOrigins].includes(origin);
}

function cookieToken({ headers }: FastifyRequest, { authCookie }: AuthDependencies): string | null {
  const start = `${authCookie}=`;
  const pair = (headers.cookie ?? '').split('; ').find((one) => one.startsWith(start));
  if (authCookie === null || pair === undefined) return null;
  try {
    const kept: unknown = JSON.parse(decodeURIComponent(pair.slice(start.length)));
    const token = (kept as { value?: { access_token?: unknown } } | null)?.value?.access_token;
    return typeof token === 'string' ? token : null;
  } catch {
    return null;
  }
}

/** Belongs to one sign-in, and ends with it. */
const csrfToken = ({ secret }: App, token: string) =>
  createHmac('sha256', secret).update(`csrf ${token}`).digest('hex');
