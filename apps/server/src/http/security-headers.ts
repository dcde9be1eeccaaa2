import helmet from '@fastify/helmet';
import type { PaymentProvider } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

export interface SecurityHeadersOptions {
  /** Cards are given to it from within the page. */
  paymentProvider: PaymentProvider;
  /** Other origins that the dashboard connects to: `wss://live.example.com`. Its own covers sockets too. */
  connect: string[];
}

/**
 * Headers for every answer. The policy is strict: scripts, styles, fonts and calls of this origin only; pictures also from
 * the page's own memory, which is where a document is shown from. Where cards are given to Stripe, its script and its
 * frames come in beside, and nothing else of anybody.
 */
export const securityHeaders = fp(async (app: FastifyInstance, options: SecurityHeadersOptions) => {
  const stripe = options.paymentProvider === 'stripe' ? stripeHosts : null;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...(stripe?.scripts ?? [])],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        // pdf.js works in one. Its address has to pass the policy named below.
        workerSrc: ["'self'"],
        connectSrc: ["'self'", ...options.connect, ...(stripe?.calls ?? [])],
        frameSrc: stripe?.frames ?? ["'none'"],
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

/** As Stripe asks for them, for cards alone: no wallets, no addresses looked up. */
const stripeHosts = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
};
