import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that scripts cannot read, and that browsers send only with requests from this site. */
export interface Cookie {
  /** Null without the cookie. */
  value: string | null;
  /** @param lifetime seconds */
  set(value: string, lifetime: number): void;
  clear(): void;
}

export interface CookieOptions {
  name: string;
  /** Whether clients use HTTPS although a proxy talks HTTP to this server. */
  isHttps: boolean;
}

/** Reads and sets a cookie. */
export function cookieOf(request: FastifyRequest, reply: FastifyReply, options: CookieOptions): Cookie {
  const name = cookieNameOf(request, options);
  const set = (value: string, lifetime: number) => {
    const attributes = ['Path=/', `Max-Age=${lifetime}`, 'HttpOnly', 'SameSite=Strict'];
    reply.header(
      'set-cookie',
      [`${name}=${value}`, ...attributes, ...(isSecure(request, options) ? ['Secure'] : [])].join('; '),
    );
  };
  const value = cookiesOf(request).find((cookie) => cookie.name === name)?.value ?? null;
  return { value, set, clear: () => set('', 0) };
}

/** Returns the name over HTTPS with `__Host-`, so that no other site of the domain can set the cookie. */
export const cookieNameOf = (request: FastifyRequest, options: CookieOptions): string =>
  isSecure(request, options) ? `__Host-${options.name}` : options.name;

/** Lists the cookies of a request. */
export const cookiesOf = ({ headers }: FastifyRequest): { name: string; value: string }[] =>
  (headers.cookie ?? '').split(/; */).map((pair) => {
    const [name = '', ...rest] = pair.split('=');
    return { name, value: rest.join('=') };
  });

const isSecure = ({ protocol }: FastifyRequest, { isHttps }: CookieOptions) =>
  isHttps || protocol === 'https';
