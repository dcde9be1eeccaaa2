import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestDevice } from './call-handlers.ts';

/**
 * Reads and sets the cookie that recognises a browser. It is a session's only companion that scripts cannot read, and
 * it authorises nothing. Over HTTPS its name starts with `__Host-`, so that no other site of the domain can set it.
 * @param isHttps whether clients use HTTPS although a proxy talks HTTP to this server
 */
export function deviceOf(request: FastifyRequest, reply: FastifyReply, isHttps: boolean): RequestDevice {
  const isSecure = isHttps || request.protocol === 'https';
  const name = isSecure ? '__Host-keyturn-device' : 'keyturn-device';
  return {
    token: readCookie(request.headers.cookie, name),
    remember: (token, lifetime) => {
      const attributes = ['Path=/', `Max-Age=${lifetime}`, 'HttpOnly', 'SameSite=Strict'];
      reply.header(
        'set-cookie',
        [`${name}=${token}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; '),
      );
    },
  };
}

function readCookie(header: string | undefined, name: string): string | null {
  const prefix = `${name}=`;
  const pair = (header ?? '').split(/; */).find((cookie) => cookie.startsWith(prefix));
  return pair === undefined ? null : pair.slice(prefix.length);
}
