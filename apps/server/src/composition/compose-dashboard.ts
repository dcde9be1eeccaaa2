import { join } from 'node:path';
import {
  type PaymentMethod,
  type PaymentMethodConfig,
  type PaymentPurpose,
  type PublicConfig,
  paymentMethods,
  paymentPurposes,
  type RealtimeConfig,
} from '@keyturn/contract';
import { findStyleSheet } from '../doors/client/serve-firm-files.ts';
import type { ServerOptions } from '../http/create-server.ts';
import { serveDashboard } from '../http/dashboard/serve-dashboard.ts';
import { serveDesk } from '../http/dashboard/serve-desk.ts';
import type { ReadMaintenance } from '../live/maintenance/read-maintenance.ts';
import type { Database } from '../platform/database.ts';
import { readRegulatedFirm, regulatorSentenceOf } from '../platform/firm-data/statutory-line.ts';
import { installation } from '../schema/tables/tables.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { Builds } from './compose-builds.ts';
import { externalSockets } from './realtime/compose-realtime.ts';

/** The inputs of the dashboard's public configuration. */
export interface DashboardComposition {
  settings: Settings;
  database: Database;
  readMaintenance: ReadMaintenance;
  publishableKey: string;
  /** Whether a purpose can be paid by this method now. @param lines what the payment contains, if that matters */
  acceptsMethod(
    purpose: PaymentPurpose,
    method: PaymentMethod,
    lines?: readonly { client_money: boolean }[],
  ): boolean;
  /** Null: there is no real-time channel. */
  realtimeKey: string | null;
  version: string;
}

/**
 * Composes the builds of the dashboard and the desk with the public configuration, and lists the other origins that the
 * dashboard connects to.
 */
export function composeDashboard({
  builds,
  ...options
}: DashboardComposition & { builds: Builds }): Pick<ServerOptions, 'connect' | 'dashboard' | 'desk'> {
  const { settings } = options;
  const { directories, findFile: findBuildFile } = builds;
  const publicConfig = () => readPublicConfig(options);
  return {
    connect: [...apiOrigin(settings), ...externalSockets(settings.realtime), ...errorCollector(settings)],
    dashboard: serveDashboard({
      directory: directories.dashboard,
      keptBuilds: join(settings.dataDirectory, 'builds'),
      findBuildFile,
      publicConfig,
      findStyleSheet: () => findStyleSheet(options.database),
    }),
    desk: serveDesk({
      directory: directories.desk,
      connect: externalSockets(settings.realtime),
      findBuildFile,
      publicConfig,
    }),
  };
}

/** The origins of an API on another server, for requests and WebSockets. */
function apiOrigin({ apiBaseUrl }: Settings): string[] {
  if (apiBaseUrl.startsWith('/')) return [];
  const { origin } = new URL(apiBaseUrl);
  return [origin, origin.replace(/^http/, 'ws')];
}

/** The origin that the dashboard reports its errors to. */
const errorCollector = ({ errorReporting }: Settings) =>
  errorReporting ? [new URL(errorReporting.dsn).origin] : [];

async function readPublicConfig(options: DashboardComposition): Promise<PublicConfig> {
  const { persistedState, payments, session, realtime, dataGrid, errorReporting, ...settings } =
    options.settings;
  const [row] = await options.database
    .select({ firm: installation.shownFirm, contents: installation.contents })
    .from(installation);
  const regulated = await readRegulatedFirm(options.database);
  return {
    product_name: settings.productName,
    environment: settings.environment,
    api_base_url: settings.apiBaseUrl,
    firm: row?.firm ?? null,
    regulated_by: regulatorSentenceOf(regulated),
    regulation: regulated.regulation,
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
      purposes: paymentPurposes.filter((purpose) =>
        paymentMethods.some((method) => options.acceptsMethod(purpose, method)),
      ),
      methods: { card: toMethodConfig(options, 'card'), bank: toMethodConfig(options, 'bank') },
      publishable_key: options.publishableKey,
    },
    session: { idle_after: session.idleAfter },
    builds: { check_every: settings.buildCheckSeconds },
    realtime: options.realtimeKey === null ? null : realtimeConfig(realtime, options.realtimeKey),
    error_reporting: errorReporting && {
      dsn: errorReporting.dsn,
      environment: settings.environment,
      release: `keyturn@${options.version}`,
      traces_sample_rate: errorReporting.tracesSampleRate,
      replays_session_sample_rate: errorReporting.replaysSessionSampleRate,
      replays_on_error_sample_rate: errorReporting.replaysOnErrorSampleRate,
      recording_consent: errorReporting.recordingConsent,
      mask_all: errorReporting.maskAll,
    },
    data_grid: { edition: dataGrid.edition, licence_key: dataGrid.licenceKey },
    maintenance: await options.readMaintenance(),
    demonstration: row?.contents === 'demonstration',
    api_descriptions: settings.security.servesDescriptions,
  };
}

function toMethodConfig(
  { settings, acceptsMethod }: DashboardComposition,
  method: PaymentMethod,
): PaymentMethodConfig {
  const { min, max, dailyMax } = settings.payments.limits[method];
  return {
    purposes: paymentPurposes.filter((purpose) => acceptsMethod(purpose, method)),
    client_money_of_bills: acceptsMethod('legal_fees', method, [{ client_money: true }]),
    limits: { min, max, daily_max: dailyMax },
  };
}

/** Returns the settings with which browsers connect to the channel. */
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
