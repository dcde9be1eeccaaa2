import type { FastifyInstance } from 'fastify';
import { type ServedMetrics, serveMetrics } from '../adapters/metrics/serve-metrics.ts';
import { answersInTime } from '../adapters/postgres/answers-in-time.ts';
import { type ConnectedDatabase, connectDatabase } from '../adapters/postgres/connect.ts';
import { watchEventLoopLag } from '../platform/load/event-loop-lag.ts';
import { watchShortages } from '../platform/load/watch-shortages.ts';
import { type ComposeOptions, composeParts } from './compose-parts.ts';
import { type ComposedTracing, composeTracing } from './compose-tracing.ts';
import { createApp } from './create-app.ts';
import { createLifecycle, finishRequests } from './lifecycle.ts';
import type { Installation } from './open-installation.ts';
import { createServerReference, type ServerReference } from './server-reference.ts';
import { alertAboutPayments, warnOfDatabase } from './warn-at-start.ts';

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
    isReady: lifecycle.isReady,
    isClosing: lifecycle.isClosing,
    isDatabaseAvailable: () => answersInTime(connected),
    findShortages: watchShortages(),
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
        // Early, because emails and the sandbox need the address, and so that /healthz answers during the start.
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
