import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export interface SecurityHeaderOptions {
  /** Other origins that the dashboard connects to: `wss://live.example.com`. Its own covers sockets too. */
  connect?: string[];
}

/**
 * Headers for every answer. The policy is strict: scripts, styles, fonts and calls of this origin only; pictures also from
 * the page's own memory, which is where a document is shown from.
 */
export const securityHeaders = fp(async (app: FastifyInstance, { connect = [] }: SecurityHeaderOptions) => {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        // pdf.js works in one. Its address has to pass the policy named below.
        workerSrc: ["'self'"],
        connectSrc: ["'self'", ...connect],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['keyturn'],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(self)');
  });
});
