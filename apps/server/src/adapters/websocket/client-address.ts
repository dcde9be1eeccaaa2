import type { IncomingMessage } from 'node:http';

/**
 * Finds the IP address of a client.
 *
 * @param trustedProxies number of proxies in front of this server whose `X-Forwarded-For` entries are trusted
 */
export function findClientAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []]
    .flat()
    .flatMap((part) => part.split(','))
    .map((part) => part.trim());
  const hops = [...forwarded, socket.remoteAddress ?? ''];
  return hops[Math.max(hops.length - 1 - trustedProxies, 0)] ?? '';
}
