import type { IncomingMessage } from 'node:http';

/**
 * Where a connection comes from: its own end, or what the proxies in front of us say.
 * @param trustedProxies how many of them are believed, counted from here
 */
export function findClientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((part) => part.split(','))
    .map((part) => part.trim());
  const hops = [...forwarded, socket.remoteAddress ?? ''];
  return hops[Math.max(hops.length - 1 - trustedProxies, 0)] ?? '';
}
