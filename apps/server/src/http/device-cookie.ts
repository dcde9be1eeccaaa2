import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestDevice } from './call-handlers.ts';
import { cookieOf } from './cookies.ts';

/**
 * Reads and sets the cookie that recognises a browser. It authorises nothing.
 * @param options.isHttps whether clients use HTTPS although a proxy talks HTTP to this server
 */
export function deviceOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { name = 'keyturn-device', isHttps }: { name?: string; isHttps: boolean },
): RequestDevice {
  const cookie = cookieOf(request, reply, { name, isHttps });
  return { token: cookie.value, remember: cookie.set };
}
