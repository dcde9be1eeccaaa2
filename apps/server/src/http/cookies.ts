import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read, and that browsers send only with requests from this site. */
export interface Cookie {
  /** Null without the cookie. */
  value: string | null;
  /** @param lifetime seconds */
  set(value: string, lifetime: number): void;
  clear(): void;
}

/**
 * Reads and sets a cookie. Over HTTPS its name starts with `__Host-`, so that no other site of the domain can set it.
 * @param isHttps whether clients use HTTPS although a proxy talks HTTP to this server
 */
export function cookieOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { name: plainName, isHttps }: { name: string; isHttps: boolean },
): Cookie {
  const isSecure = isHttps || request.protocol === 'https';
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const set = (value: string, lifetime: number) => {
    const attributes = ['Path=/', `Max-Age=${lifetime}`, 'HttpOnly', 'SameSite=Strict'];
    reply.header(
      'set-cookie',
      [`${name}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; '),
    );
  };
  return { value: readCookie(request.headers.cookie, name), set, clear: () => set('', 0) };
}

function readCookie(header: string | undefined, name: string): string | null {
  const prefix = `${name}=`;
  const pair = (header ?? '').split(/; */).find((cookie) => cookie.startsWith(prefix));
  return pair === undefined ? null : pair.slice(prefix.length);
}
