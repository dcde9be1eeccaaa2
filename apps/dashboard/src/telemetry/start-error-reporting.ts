import {
  breadcrumbsIntegration,
  captureException,
  dedupeIntegration,
  eventFiltersIntegration,
  globalHandlersIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
  tanstackRouterBrowserTracingIntegration,
} from '@sentry/react';
import type { Services } from '../api/services/services.ts';
import { readErrorReportingConfig } from './error-reporting-config.ts';
import { isReportable } from './is-reportable.ts';
import { releaseName } from './release-name.ts';
import { createReportTransport } from './report-transport.ts';
import { unexpectedErrorFrom } from './unexpected-error-from.ts';

/**
 * Reports what nobody foresaw to the service that is configured, with traces and recordings as far as its rates want
 * them. The service may be away, slow or hostile: nothing here waits for it, or is told by it what to do.
 * @param router of TanStack
 * @param early ends what heard the errors that nobody catches until now
 */
export async function startErrorReporting(
  services: Services,
  router: object,
  early: AbortController,
): Promise<void> {
  const config = readErrorReportingConfig(services.config.error_reporting);
  if (!config) return;
  // Before anything is reported, to which a recording may belong.
  const recorder =
    config.replays_session_sample_rate > 0 || config.replays_on_error_sample_rate > 0
      ? await import('./record-session.ts').catch(() => null)
      : null;
  const isTraced = config.traces_sample_rate > 0;
  init({
    dsn: config.dsn,
    environment: config.environment,
    release: releaseName(config.release, document.getElementById('keyturn-build')?.textContent),
    tracesSampleRate: config.traces_sample_rate,
    replaysSessionSampleRate: config.replays_session_sample_rate,
    replaysOnErrorSampleRate: config.replays_on_error_sample_rate,
    transport: createReportTransport,
    beforeSend: (event, { originalException }) => (isReportable(event, originalException) ? event : null),
    sendClientReports: false,
    // Transactions: every service of this protocol knows them.
    traceLifecycle: 'static',
    dataCollection: { userInfo: false, cookies: false, urlQueryParams: false },
    // Our API takes no headers but its own, and has a request id in each answer.
    tracePropagationTargets: [],
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      // What was clicked is told by its words.
      breadcrumbsIntegration({ dom: !config.mask_all }),
      ...(isTraced ? [tanstackRouterBrowserTracingIntegration(router)] : []),
      ...(recorder ? [recorder.recordSession(config, services.config.api_base_url)] : []),
    ],
  });
  early.abort();
  services.reports.listen((told) => {
    const error = unexpectedErrorFrom(told);
    if (error !== undefined) captureException(error);
  });
}
