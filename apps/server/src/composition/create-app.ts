import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createRateLimiter } from '../adapters/limits/rate-limiters.ts';
import { serveFirmFiles } from '../doors/client/serve-firm-files.ts';
import { feedDescription } from '../doors/feed/description/description-routes.ts';
import { webhookRoute } from '../doors/provider-webhooks/webhook-route.ts';
import { applePayDomain } from '../http/apple-pay-domain.ts';
import { createServer } from '../http/create-server.ts';
import { policyReports } from '../http/security/policy-reports.ts';
import { securityText } from '../http/security/security-text.ts';
import { allProviders, chooseProvider } from '../payments/provider/find-provider.ts';
import type { Clock } from '../platform/clock.ts';
import type { Shortages } from '../platform/load/watch-shortages.ts';
import type { Tracer } from '../platform/tracing/spans.ts';
import type { Settings } from '../settings/read-settings.ts';
import { composeDashboard } from './compose-dashboard.ts';
import type { ComposeOptions, Parts } from './compose-parts.ts';
import { ownOrigin } from './own-origin.ts';

/** Creates the HTTP server with all routes. */
export function createApp(
  { settings, version, logTo }: ComposeOptions,
  {
    builds,
    clocks,
    secret,
    database,
    readMaintenance,
    sessions,
    payments,
    sandbox,
    realtime,
    handlers,
    limits,
    metrics,
    isKeyRejected,
    feed,
    staff,
  }: Parts,
  {
    lag,
    isReady,
    isClosing,
    isDatabaseAvailable,
    findShortages,
    tracer,
  }: {
    lag(): number;
    isReady(): boolean;
    isClosing(): boolean;
    isDatabaseAvailable(): Promise<boolean>;
    findShortages(): Promise<Shortages>;
    tracer: Tracer | undefined;
  },
): Promise<FastifyInstance> {
  return createServer({
    handlers,
    readMaintenance,
    authenticate: sessions.authenticate,
    ...ownOrigin(settings),
    provesAnswers: ['development', 'test'].includes(settings.environment),
    logLevel: settings.logLevel,
    ...(logTo ? { logTo } : {}),
    onAnswered: metrics.onAnswered,
    tracer,
    emailHashKey: createHmac('sha256', secret).update('email addresses in the log').digest('hex'),
    limits,
    load: { maxConcurrentRequests: settings.maxConcurrentRequests, lag, onShed: metrics.onShed },
    trustedProxies: settings.trustedProxies,
    version,
    paymentProvider: settings.payments.provider,
    apiPlugins: [
      webhookRoute(
        payments,
        allProviders(payments).filter(({ name }) => name !== 'sandbox' || sandbox !== null),
        createRateLimiter(rejectedWebhooks),
      ),
      ...(sandbox ? [sandbox.routes] : []),
      feed,
      staff,
    ],
    allowedOrigins: settings.allowedOrigins,
    allowedHosts: settings.security.allowedHosts,
    servesDescription: settings.security.servesDescriptions,
    plugins: [
      ...realtime.routes,
      serveFirmFiles(database),
      ...applePay(settings.payments),
      ...securityPlugins(settings, payments.clock),
      ...(settings.security.servesDescriptions ? [feedDescription(version)] : []),
    ],
    signedRequests: realtime.signedRequests,
    ...composeDashboard({
      settings,
      builds,
      database,
      readMaintenance,
      publishableKey: payments.provider.publishableKey,
      // All but bills is client money.
      acceptsMethod: (purpose, method, lines = [{ client_money: purpose !== 'legal_fees' }]) =>
        !settings.payments.isOff && chooseProvider(payments, purpose, method, lines) !== null,
      realtimeKey: realtime.key,
      version,
    }),
    // Another server may have what this one is short of.
    isReady: async () => isReady() && Object.keys(await findShortages()).length === 0,
    isClosing,
    // All servers use the same database. If they were not ready without it, clients would get the proxy’s error page
    // instead of the dashboard, which explains the outage.
    problems: async () => ({
      ...(await findShortages()),
      ...((await isDatabaseAvailable()) ? {} : { database: 'the database does not answer' }),
      ...problemOf('clock', clocks.problem()),
      ...(isKeyRejected() ? { payments: 'the provider rejects our key' } : {}),
      ...(realtime.counts().network.redis?.isConnected === false
        ? { realtime: 'Redis is unavailable: live updates are read from the database' }
        : {}),
    }),
  });
}

const problemOf = (part: string, problem: string | null) => (problem === null ? {} : { [part]: problem });

/** What browsers report, and where people report vulnerabilities if the firm has named a contact. */
const securityPlugins = ({ security: { contact }, publicUrl }: Settings, clock: Clock) => [
  policyReports({ clock }),
  ...(contact === null ? [] : [securityText({ contact, publicUrl, clock })]),
];

/** Without Stripe, or without the file, Apple Pay is not offered. */
const applePay = ({ stripe }: Settings['payments']) =>
  stripe?.applePayDomainAssociation ? [applePayDomain(stripe.applePayDomainAssociation)] : [];

/** Webhooks with a wrong signature, by address, on each server. */
const rejectedWebhooks = { requests: 60, window: 10_000 };
