import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import { type App, type AuthResponse, authoriseChannel, authoriseUser } from '@keyturn/pusher-protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientTokenOf } from '../../http/sign-in/client-token.ts';
import type { SessionCookieOptions } from '../../http/sign-in/session-cookie.ts';
import {
  type ChannelAccess,
  decideChannelAccess,
  readChannelAccess,
} from '../../live/channels/decide-channel-access.ts';
import type { Channels } from '../../live/channels/ports.ts';
import { DomainError } from '../../platform/domain-error.ts';
import type { ClientRead } from '../../platform/reads/client-read.ts';
import { hasRepeatedField, repeatedFieldError } from '../../platform/requests/repeated-field.ts';

export interface AuthDependencies {
  app: App;
  channels: Pick<Channels, 'bind'>;
  /** Finds the client of a sign-in’s token, or null; with the answer of `read`, from the same statement. */
  authenticate(
    token: string,
    options: { touch: boolean; read?: ClientRead<unknown> },
  ): Promise<AuthenticatedClient | null>;
  /** Counts a request of a client. @throws DomainError `too_many_requests` */
  countRequest(clientId: string): Promise<void>;
  /** Paths of the auth endpoints for channels and users. */
  paths: { channel: string; user: string };
  cookies: SessionCookieOptions;
  /**
   * Counts a client who may now fetch their data again.
   * @returns the milliseconds within which they should do so
   */
  refetchWithin(): number;
}

/**
 * Routes that authorise subscriptions and sign-ins: `POST /broadcasting/auth` and `/broadcasting/user-auth`. They
 * accept a bearer token, with its cookie if it needs one, like the client API. Bodies are forms or JSON. `X-Refetch-Within` is the milliseconds within which a dashboard should fetch again after a gap: it is longer
 * when more clients return at the same time.
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
    server.addContentTypeParser(
      'application/json',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      (_request, body, done) => (repeatsField(String(body)) ? done(repeatedFieldError()) : done(null, body)),
    );
    const bodyOf = ({ headers, body }: FastifyRequest) => ({
      contentType: headers['content-type'],
      text: typeof body === 'string' ? body : '',
    });

    server.post(paths.channel, { config: { policy } }, async (request, reply) => {
      const client = await findClient(request, readChannelAccess);
      const decide = (channel: string) => decideChannelAccess(client.answer as ChannelAccess, channel);
      reply.header(refetchHeader, dependencies.refetchWithin());
      return send(reply, await authoriseChannel(app, bodyOf(request), decide), client);
    });
    server.post(paths.user, { config: { policy } }, async (request, reply) => {
      const client = await findClient(request);
      return send(reply, authoriseUser(app, bodyOf(request), { id: client.id }), client);
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

/** Pusher’s client may send cookies, whether or not it needs them. */
const policy: RequestPolicy = { ...usualPolicy, cookies: 'allowed-origins' };

const maxBodyBytes = 16 * 1024;

/** @returns false for a text that is not JSON: the protocol answers it */
function repeatsField(text: string): boolean {
  try {
    return hasRepeatedField(text, JSON.parse(text));
  } catch {
    return false;
  }
}

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
  const token = clientTokenOf(request, dependencies.cookies);
  // An open page must not extend its session just by listening.
  const options = { touch: false, ...(read ? { read } : {}) };
  const client = token === null ? null : await dependencies.authenticate(token, options);
  if (!client) throw new DomainError('unauthenticated');
  return client;
}
