import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { PaymentProvider } from '@keyturn/contract';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { policyReportPath } from './security/policy-reports.ts';

export interface SecurityHeadersOptions {
  /** The provider whose card form the page loads. */
  paymentProvider: PaymentProvider;
  /** Other origins that the dashboard connects to, such as `wss://live.example.com`. `'self'` covers WebSockets too. */
  connect: string[];
}

/**
 * Sets the security headers of every response. The content security policy allows scripts, styles, fonts and requests
 * only from this origin, and images also from blobs, which show documents. With Stripe, it adds Stripe's script and
 * frames.
 */
export const securityHeaders = fp(async (app: FastifyInstance, options: SecurityHeadersOptions) => {
  const headers = await computeSecurityHeaders(options);
  app.addHook('onRequest', (_request, reply, next) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    next();
  });
});

/** Lets the page of this answer contain frames of one more host. */
export function allowFrames({ raw }: Pick<FastifyReply, 'raw'>, host: string): void {
  const policy = String(raw.getHeader(policyHeader) ?? '');
  const allowed = policy.replace(/frame-src ([^;]*)/, (_all, hosts: string) =>
    ['frame-src', ...(hosts === "'none'" ? [] : [hosts]), host].join(' '),
  );
  raw.setHeader(policyHeader, allowed);
}

const policyHeader = 'content-security-policy';

/**
 * Computes the headers for pages that need nothing from other origins, except connections to these.
 * @param frames `contains`: the page may contain frames of this origin; `within`: pages of this origin may contain it
 */
export const strictSecurityHeaders = (options: { connect?: string[]; frames: 'contains' | 'within' }) =>
  computeSecurityHeaders({ paymentProvider: 'sandbox', connect: [], ...options });

async function computeSecurityHeaders(
  options: SecurityHeadersOptions & { frames?: 'contains' | 'within' },
): Promise<[name: string, value: string][]> {
  const stripe = options.paymentProvider === 'stripe' ? stripeHosts : null;
  const headers = await computeHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...(stripe?.scripts ?? [])],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        // For pdf.js. Its URL also has to pass the trusted types policy below.
        workerSrc: ["'self'"],
        connectSrc: ["'self'", ...options.connect, ...(stripe?.calls ?? [])],
        frameSrc: stripe?.frames ?? [options.frames === 'contains' ? "'self'" : "'none'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: [options.frames === 'within' ? "'self'" : "'none'"],
        objectSrc: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ['keyturn'],
        // Every browser supports it, unlike `report-to`.
        reportUri: [policyReportPath],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Outside Chromium, Google Pay opens a window that must be able to answer. Tabs stay loaded between screens, so the
    // policy of the first one counts.
    crossOriginOpenerPolicy: { policy: stripe ? 'same-origin-allow-popups' : 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: options.frames === 'within' ? 'sameorigin' : 'deny' },
  });
  const wallets = ['self', ...(stripe?.wallets.map((origin) => `"${origin}"`) ?? [])].join(' ');
  return [
    ...headers,
    ['permissions-policy', `camera=(), microphone=(), geolocation=(), payment=(${wallets})`],
  ];
}

/** Computes helmet's headers once: they are the same for every answer. */
async function computeHeaders(options: FastifyHelmetOptions): Promise<[name: string, value: string][]> {
  const app = Fastify();
  await app.register(helmet, options);
  app.get('/', async (_request, reply) => reply.raw.getHeaders());
  const answer = await app.inject('/');
  await app.close();
  return Object.entries(answer.json<Record<string, string>>());
}

/** The hosts that Stripe requires for card payments and wallets, without address lookup. */
const stripeHosts = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
  /** Frames that may open the browser's payment sheet: Stripe's for Apple Pay, Google's in it for Google Pay. */
  wallets: ['https://js.stripe.com', 'https://pay.google.com'],
};
