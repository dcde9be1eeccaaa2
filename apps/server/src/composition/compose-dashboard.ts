import { join } from 'node:path';
import type { PublicConfig, RealtimeConfig } from '@keyturn/contract';
import type { ReadMaintenance } from '../features/maintenance/read-maintenance.ts';
import type { ServerOptions } from '../http/create-server.ts';
import { serveDashboard } from '../http/serve-dashboard.ts';
import type { Database } from '../platform/database.ts';
import { installation } from '../platform/tables.ts';
import type { Settings } from '../settings/read-settings.ts';
import { outsideSockets } from './compose-realtime.ts';

/** What the dashboard is told of this server. */
export interface DashboardFacts {
  settings: Settings;
  database: Database;
  readMaintenance: ReadMaintenance;
  publishableKey: string;
  /** Null: no real-time channel. */
  realtimeKey: string | null;
  version: string;
}

/** The dashboard's build with its public configuration, and the other origins that it connects to. */
export function composeDashboard({
  projectDirectory,
  ...facts
}: DashboardFacts & { projectDirectory: string }): Pick<ServerOptions, 'connect' | 'dashboard'> {
  const { settings } = facts;
  return {
    connect: [...apiOrigin(settings), ...outsideSockets(settings.realtime), ...collectorOf(settings)],
    dashboard: serveDashboard({
      directory: settings.dashboardDirectory ?? join(projectDirectory, 'apps/dashboard/dist'),
      keptBuilds: join(settings.dataDirectory, 'builds'),
      publicConfig: () => readPublicConfig(facts),
    }),
  };
}

/** Where the API is another server's: its origin, and its sockets'. */
function apiOrigin({ apiBaseUrl }: Settings): string[] {
  if (apiBaseUrl.startsWith('/')) return [];
  const { origin } = new URL(apiBaseUrl);
  return [origin, origin.replace(/^http/, 'ws')];
}

/** The origin that errors are reported to. */
const collectorOf = ({ errorReporting }: Settings) =>
  errorReporting ? [new URL(errorReporting.dsn).origin] : [];

async function readPublicConfig(from: DashboardFacts): Promise<PublicConfig> {
  const { persistedState, payments, session, realtime, dataGrid, errorReporting, ...settings } =
    from.settings;
  const [held] = await from.database.select().from(installation);
  return {
    product_name: settings.productName,
    environment: settings.environment,
    api_base_url: settings.apiBaseUrl,
    firm: held?.firm ?? null,
    persisted_state: {
      storage: persistedState.storage,
      options: {
        prefix: persistedState.prefix,
        max_age_days: persistedState.maxAgeDays,
        cookie_domain: persistedState.cookieDomain,
        cookie_same_site: persistedState.cookieSameSite,
      },
    },
    payments: {
      provider: payments.provider,
      publishable_key: from.publishableKey,
      limits: {
        min: payments.limits.min,
        max: payments.limits.max,
        daily_max: payments.limits.dailyMax,
      },
    },
    session: { idle_after: session.idleAfter },
    builds: { check_every: settings.buildCheckSeconds },
    realtime: from.realtimeKey === null ? null : realtimeConfig(realtime, from.realtimeKey),
    error_reporting: errorReporting && {
      dsn: errorReporting.dsn,
      environment: settings.environment,
      release: `keyturn@${from.version}`,
      traces_sample_rate: errorReporting.tracesSampleRate,
      replays_session_sample_rate: errorReporting.replaysSessionSampleRate,
      replays_on_error_sample_rate: errorReporting.replaysOnErrorSampleRate,
      mask_all: errorReporting.maskAll,
    },
    data_grid: { edition: dataGrid.edition, licence_key: dataGrid.licenceKey },
    maintenance: await from.readMaintenance(),
    demonstration: held?.holds === 'demonstration',
  };
}

function realtimeConfig(realtime: Settings['realtime'], key: string): RealtimeConfig {
  return {
    broadcaster: realtime.broadcaster,
    key,
    host: realtime.host,
    port: realtime.port,
    scheme: realtime.scheme,
    path: realtime.path,
    cluster: realtime.cluster,
    module: realtime.module,
    namespace: realtime.namespace,
    auth_endpoint: realtime.authEndpoint,
    user_auth_endpoint: realtime.userAuthEndpoint,
    activity_timeout: realtime.activityTimeout,
    pong_timeout: realtime.pongTimeout,
    unavailable_timeout: realtime.unavailableTimeout,
  };
}
