import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { pagePolicy } from '../route-policy.ts';

const path = '/.well-known/security.txt';

/**
 * Serves `security.txt` (RFC 9116), which says where to report a vulnerability. It expires 30 days after it is read,
 * because the contact is a setting of the running server.
 * @param options.contact a URI
 */
export const securityText =
  ({ contact, publicUrl, clock }: { contact: string; publicUrl: string | null; clock: Clock }) =>
  async (app: FastifyInstance): Promise<void> => {
    app.get(path, { config: { policy: pagePolicy } }, async (_request, reply) => {
      const expires = new Date(clock().getTime() + validity).toISOString().replace(/\.\d+Z$/, 'Z');
      const lines = [`Contact: ${contact}`, `Expires: ${expires}`, 'Preferred-Languages: en'];
      if (publicUrl?.startsWith('https:')) lines.push(`Canonical: ${new URL(path, publicUrl).href}`);
      return reply
        .header('cache-control', 'public, max-age=86400')
        .type('text/plain; charset=utf-8')
        .send(`${lines.join('\n')}\n`);
    });
  };

/** Milliseconds. */
const validity = 30 * 86_400_000;
