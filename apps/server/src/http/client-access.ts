import type { FastifyRequest } from 'fastify';
import { hashToken } from '../platform/credentials/hash-token.ts';
import { DomainError } from '../platform/domain-error.ts';
import type { ClientRead } from '../platform/reads/client-read.ts';
import type { SignedInClient } from './call-handlers.ts';
import { countClient, type RequestLimits } from './limits/limit-requests.ts';
import { clientTokenOf } from './sign-in/client-token.ts';
import type { SessionCookieOptions } from './sign-in/session-cookie.ts';

/**
 * Finds the client of a sign-in’s token; null if it is invalid.
 * @param options.touch whether the request counts as activity
 * @param options.read a read in the same statement, whose result is the `answer`
 * @param options.hash SHA-256 of the token, if it is known already
 */
export type Authenticate = (
  token: string,
  options: { touch: boolean; read?: ClientRead<unknown>; hash?: Buffer },
) => Promise<(SignedInClient & { answer?: unknown }) | null>;

/** Admits the requests of signed-in clients. Each function throws the DomainError `unauthenticated`. */
export interface ClientAccess {
  /** Checks the session, and counts the request against the client's limit. */
  admit(request: FastifyRequest): Promise<void>;
  /**
   * Checks the session again once the whole request has arrived, which can take half a minute. A stolen session that has
   * ended meanwhile could otherwise still make changes.
   */
  readmit(request: FastifyRequest): Promise<void>;
  /**
   * Counts the request. Checks the session only if this server has not seen its token: `read` checks it again, in the
   * statement that reads.
   */
  admitRead(request: FastifyRequest): Promise<void>;
  /** Checks the session and reads, in one statement. */
  read(request: FastifyRequest, read: ClientRead<unknown>): Promise<unknown>;
}

export function createClientAccess(
  authenticate: Authenticate,
  cookies: SessionCookieOptions,
  limits?: RequestLimits,
): ClientAccess {
  const clientsOfTokens = new Map<string, string>();

  /** Returns the token of a request, which is hashed once. @throws DomainError `unauthenticated` */
  function credentialOf(request: FastifyRequest): { token: string; hash: Buffer } {
    if (request.credential) return request.credential;
    const token = clientTokenOf(request, cookies);
    if (token === null) throw new DomainError('unauthenticated');
    request.credential = { token, hash: hashToken(token) };
    return request.credential;
  }

  async function signIn(
    request: FastifyRequest,
    // Background requests of an open page do not keep a session alive.
    {
      read,
      touch = request.headers['x-activity'] !== 'background',
    }: { read?: ClientRead<unknown>; touch?: boolean } = {},
  ) {
    const { token, hash } = credentialOf(request);
    const client = await authenticate(token, read ? { touch, hash, read } : { touch, hash });
    if (!client) {
      // Later requests are checked before they are counted, so that an invalid token does not exhaust the client's
      // limit.
      clientsOfTokens.delete(keyOf(hash));
      throw new DomainError('unauthenticated');
    }
    request.signedInClient = client;
    return client;
  }

  const count = async (request: FastifyRequest, clientId: string) => {
    if (limits) await countClient(limits, request, clientId);
  };

  /** The client of a token never changes, so it can be cached. Each request still checks that the token is valid. */
  async function clientOf(request: FastifyRequest): Promise<string> {
    const key = keyOf(credentialOf(request).hash);
    const known = clientsOfTokens.get(key);
    if (known !== undefined) return known;
    const { id } = await signIn(request);
    if (clientsOfTokens.size >= maxTokens) clientsOfTokens.clear();
    clientsOfTokens.set(key, id);
    return id;
  }

  return {
    admit: async (request) => count(request, (await signIn(request)).id),
    readmit: async (request) => {
      await signIn(request, { touch: false });
    },
    admitRead: async (request) => {
      const clientId = await clientOf(request);
      request.subject = { client: clientId };
      await count(request, clientId);
    },
    read: async (request, read) => (await signIn(request, { read })).answer,
  };
}

/** A few megabytes. */
const maxTokens = 20_000;

/** Keyed by hash, so that no token stays in memory after its request. */
const keyOf = (hash: Buffer) => hash.toString('latin1');

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of a client, and its SHA-256. */
    credential?: { token: string; hash: Buffer };
  }
}
