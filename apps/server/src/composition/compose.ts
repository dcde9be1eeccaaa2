import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { S3Timeouts } from '../adapters/files/s3-objects.ts';
import { createFailureLimit } from '../adapters/limits/rate-limiters.ts';
import { type ServedMetrics, serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { createPdfProcess } from '../adapters/pdf/create-pdf-process.ts';
import { createSigningFaultFinder } from '../adapters/pdf/create-signing-fault-finder.ts';
import { answersInTime } from '../adapters/postgres/answers-in-time.ts';
import { type ConnectedDatabase, connectDatabase } from '../adapters/postgres/connect.ts';
import { watchClocks } from '../adapters/postgres/watch-clocks.ts';
import { finishRestores } from '../features/backup/finish-restore.ts';
import { serveFirmFiles } from '../features/desk/firm-data/firm-files-routes.ts';
import { signatureKey } from '../features/documents/signature-record.ts';
import { createSignedCopies } from '../features/documents/signed-copies.ts';
import { feedDescription } from '../features/feed/api/description/routes.ts';
import { createMaintenanceReader } from '../features/maintenance/read-maintenance.ts';
import { chooseProvider } from '../features/payments/checkout/choose-provider.ts';
import { allProviders } from '../features/payments/provider/find-provider.ts';
import { createStoredReceipts } from '../features/payments/receipts/stored-receipts.ts';
import { webhookRoute } from '../features/payments/webhooks/webhook-route.ts';
import { shareDocumentStore, shareStaffKey } from '../features/shared-resources/shared-resources.ts';
import { createSessions } from '../features/sign-in/sessions.ts';
import { applePayDomain } from '../http/apple-pay-domain.ts';
import { createServer } from '../http/create-server.ts';
import { policyReports } from '../http/security/policy-reports.ts';
import { securityText } from '../http/security/security-text.ts';
import { type Clock, systemClock } from '../platform/clock.ts';
import { checkFirstPassword } from '../platform/credentials/check-new-password.ts';
import { createPasswords } from '../platform/credentials/passwords.ts';
import { watchEventLoopLag } from '../platform/event-loop-lag.ts';
import type { Tracer } from '../platform/tracing/spans.ts';
import type { Settings } from '../settings/read-settings.ts';
import { afterRestore } from './after-restore.ts';
import { composeBuilds } from './compose-builds.ts';
import { composeDashboard } from './compose-dashboard.ts';
import { composeDeskCase } from './compose-desk-case.ts';
import { composeFeed } from './compose-feed.ts';
import { composeHandlers } from './compose-handlers.ts';
import { composeJobs } from './compose-jobs.ts';
import { composeMetrics } from './compose-metrics.ts';
import { composeOutgoingWebhooks } from './compose-outgoing-webhooks.ts';
import { composePayments } from './compose-payments.ts';
import { composeRequestLimits } from './compose-request-limits.ts';
import { composeStaff } from './compose-staff.ts';
import { type ComposedTracing, composeTracing } from './compose-tracing.ts';
import { createLifecycle, finishRequests } from './lifecycle.ts';
import { openAuditArchive, openDocumentStore, openScanner } from './open-document-store.ts';
import { type Installation, openInstallation } from './open-installation.ts';
import { ownOrigin } from './own-origin.ts';
import { composeRealtime } from './realtime/compose-realtime.ts';
import { createServerReference, type ServerReference } from './server-reference.ts';
import { alertAboutPayments, warnOfDatabase } from './warn-at-start.ts';

export interface ComposeOptions {
  settings: Settings;
  /** A migrated database. */
  databaseUrl: string;
  /** Contains the demonstration firm and the dashboard's build. */
  projectDirectory: string;
  version: string;
  /**
   * The built `pdf-worker.ts`. Without it, PDFs are created and read in this process, as in tests that run from the
   * sources.
   */
  pdfWorker?: URL;
  clock?: Clock;
  /** Milliseconds between two checks of open payments; tests check more often. */
  catchUpEvery?: number;
  /** How long the document store in S3 may take; tests wait for less time. */
  storeTimeouts?: S3Timeouts;
  /** Standard output by default. */
  logTo?: { write(line: string): void };
}

export interface Keyturn {
  app: FastifyInstance;
  /** The data of the installation at the time of composition. */
  contents: Installation['contents'];
  /** Starts serving and the background work. The server is ready once it resolves. @returns the server's address */
  listen(): Promise<string>;
  /** Returns the address of the metrics; null while they are not served. */
  metricsAddress(): string | null;
  /** Makes the server unready while it still answers, so that load balancers choose others before it closes. */
  drain(): Promise<void>;
  /** Finishes requests in progress, stops the background work at the same time, and closes the database. */
  close(): Promise<void>;
}

/** Chooses the adapters, passes them to the features, and assembles the server. */
export async function compose(options: ComposeOptions): Promise<Keyturn> {
  const reference = createServerReference();
  const connected = connectDatabase({
    url: options.databaseUrl,
    size: options.settings.databaseConnections,
    onIdleError: (error) => reference.warn('an idle database connection broke', error),
  });
  try {
    return await assemble(options, connected, reference, await composeTracing(options, reference));
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/**
 * The backlog of connections waiting to be accepted. Thousands of clients reconnect at the same time after a restart.
 */
const backlog = 4_096;

/** Webhooks of providers with a wrong signature, by address, on each server. */
const rejectedWebhooks = { requests: 60, window: 10_000 };

async function assemble(
  options: ComposeOptions,
  connected: ConnectedDatabase,
  reference: ServerReference,
  tracing: ComposedTracing | null,
): Promise<Keyturn> {
  const lag = watchEventLoopLag();
  const lifecycle = createLifecycle();
  const parts = await composeParts(options, connected, reference, lag.milliseconds);
  const app = await createApp(options, parts, {
    lag: lag.milliseconds,
    tracer: tracing?.tracer,
    isReady: async () => lifecycle.isReady(),
    isClosing: lifecycle.isClosing,
    isDatabaseAvailable: () => answersInTime(connected),
  });
  reference.set(app);

  const { settings } = options;
  const { clocks, realtime, payments, sandbox, catchUp, jobs, webhooks, metrics, store, builds, copies } =
    parts;
  let servedMetrics: ServedMetrics | undefined;
  return {
    app,
    contents: parts.contents,
    listen: async () => {
      await lifecycle.start([
        // Before any session is checked.
        clocks.start,
        // Before any browser gets a page that names them.
        builds.start,
        async () => {
          if (settings.metrics) servedMetrics = await serveMetrics(metrics, settings.metrics);
        },
        // Early, because mails and the sandbox need the address, and so that /healthz answers during the start.
        () => app.listen({ host: settings.host, port: settings.port, backlog }),
        () => {
          for (const warning of [...settings.warnings, ...store.warnings]) app.log.warn(warning);
        },
        () => realtime.start(app),
        () => sandbox?.start(),
        () => alertAboutPayments(payments),
        catchUp.start,
        jobs.start,
        webhooks.start,
        () => warnOfDatabase(app.log, { pool: connected.pool, connections: settings.databaseConnections }),
      ]);
      return reference.address() ?? '';
    },
    metricsAddress: () => servedMetrics?.address ?? null,
    drain: async () => {
      await Promise.all([lifecycle.drain(settings.drainSeconds * 1_000), tracing?.flush()]);
    },
    close: async () => {
      try {
        await lifecycle.stop([
          async () => {
            await finishRequests(app, settings.stopSeconds * 1_000);
            await copies.stop();
          },
          realtime.stop,
          catchUp.stop,
          jobs.stop,
          webhooks.stop,
          builds.stop,
          clocks.stop,
          // A sandbox webhook in progress keeps its connection open, and the server waits for that.
          () => sandbox?.stop(),
        ]);
      } finally {
        lag.stop();
        await tracing?.stop();
        await servedMetrics?.stop();
        store.close();
        await connected.close();
      }
    },
  };
}

type Parts = Awaited<ReturnType<typeof composeParts>>;

/** Creates the adapters and the features' dependencies. */
async function composeParts(
  options: ComposeOptions,
  { database, sharedConnections, pool }: ConnectedDatabase,
  reference: ServerReference,
  lag: () => number,
) {
  const { settings, projectDirectory } = options;
  const { alertAbout } = reference;
  const clocks = watchClocks({
    pool,
    clock: options.clock ?? systemClock,
    alertOperator: alertAbout('clocks'),
    onError: (error) => reference.warn('the clocks of the server and the database cannot be compared', error),
  });
  const { clock } = clocks;
  const store = await openDocumentStore(settings, {
    clock,
    alertOperator: alertAbout('documents'),
    isServer: true,
    ...(options.storeTimeouts ? { timeouts: options.storeTimeouts } : {}),
  });
  const { files } = store;
  await shareStaffKey(database, settings);
  // A server that starts while the store is unavailable serves everything but documents.
  if (store.isAvailable) await shareDocumentStore({ database, files, storeName: store.name });
  await finishRestores(afterRestore(files, clock), database);
  const passwords = createPasswords();
  const { printer, receiptPrinter } = await openPrinters(options.pdfWorker);
  const importDependencies = {
    database,
    files,
    clock,
    alertOperator: alertAbout('malware'),
    hashPassword: passwords.hash,
    checkPassword: checkFirstPassword,
    findSigningFault: createSigningFaultFinder(printer),
    findMalware: openScanner(settings, { clock, alertOperator: alertAbout('malware') }),
  };
  const { secret, contents, installationId } = await openInstallation({
    settings,
    projectDirectory,
    ...importDependencies,
  });
  const feed = composeFeed(settings, importDependencies, reference);
  const shared = { settings, secret, database, pool, clock };
  const readMaintenance = createMaintenanceReader(database, clock);
  const sessions = createSessions({ database, sharedConnections, clock, ...settings.session });
  const {
    dependencies: payments,
    sandbox,
    catchUp,
    isKeyRejected,
  } = composePayments({ ...shared, installationId, server: reference, catchUpEvery: options.catchUpEvery });
  const realtime = composeRealtime({
    ...shared,
    databaseUrl: options.databaseUrl,
    authenticate: sessions.authenticate,
    lag,
    onError: (error) => reference.warn('the real-time channel has a problem', error),
  });
  const alertOperator = alertAbout('documents');
  const receipts = createStoredReceipts({ database, files, printer: receiptPrinter, clock, alertOperator });
  const signingKey = signatureKey(secret);
  const copies = createSignedCopies({ database, files, printer, signingKey, clock, alertOperator });
  const metrics = composeMetrics({
    pool,
    database,
    realtime,
    server: reference,
    archivesAuditLog: settings.documents.auditArchive !== null,
  });
  const handlers = composeHandlers({
    ...shared,
    files,
    passwords,
    sessions,
    printer,
    copies,
    payments,
    receipts,
    readMaintenance,
    alertAbout,
    onSignIn: metrics.onSignIn,
  });
  const limits = composeRequestLimits(settings, pool);
  const staff = composeStaff({
    ...shared,
    installation: { secret, contents },
    passwords,
    alertOperator: alertAbout('sign_in'),
    limits,
    handlers,
    payments: { ...payments, receipts, isKeyRejected },
    channel: realtime.desk,
    deskCase: composeDeskCase({
      importDependencies,
      contents: { database, files, copies, alertOperator },
      sessions,
    }),
    files,
  });
  const jobs = composeJobs({
    ...shared,
    server: reference,
    payments,
    receipts,
    importing: importDependencies,
    files,
    auditArchive: await openAuditArchive(settings),
  });
  const webhooks = composeOutgoingWebhooks({
    ...shared,
    databaseUrl: options.databaseUrl,
    server: reference,
  });
  const builds = composeBuilds({ ...shared, projectDirectory, server: reference });
  return {
    builds,
    clocks,
    contents,
    copies,
    store,
    secret,
    database,
    readMaintenance,
    sessions,
    payments,
    sandbox,
    catchUp,
    isKeyRejected,
    realtime,
    handlers,
    limits,
    metrics,
    jobs,
    webhooks,
    feed,
    staff,
  };
}

/** Creates the HTTP server with all routes. */
function createApp(
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
    tracer,
  }: {
    lag(): number;
    isReady(): Promise<boolean>;
    isClosing(): boolean;
    isDatabaseAvailable(): Promise<boolean>;
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
        createFailureLimit(rejectedWebhooks),
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
      acceptsMethod: (purpose, method) =>
        !settings.payments.isOff && chooseProvider(payments, purpose, method) !== null,
      realtimeKey: realtime.key,
      version,
    }),
    isReady,
    isClosing,
    // All servers use the same database. If they were not ready without it, clients would get the proxy’s error page
    // instead of the dashboard, which explains the outage.
    problems: async () => ({
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

/** Receipts have a separate process, so that they never wait for a document. */
const openPrinters = async (worker: URL | undefined) =>
  worker
    ? { printer: createPdfProcess(worker), receiptPrinter: createPdfProcess(worker) }
    : (await import('../adapters/pdf/print-in-this-process.ts')).printersInThisProcess();
