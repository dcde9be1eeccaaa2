import {
  breadcrumbsIntegration,
  browserTracingIntegration,
  captureException,
  dedupeIntegration,
  eventFiltersIntegration,
  globalHandlersIntegration,
  httpContextIntegration,
  init,
  linkedErrorsIntegration,
} from '@sentry/react';
import type { Services } from '../api/services/services.ts';
import { matchPath } from '../navigation/paths.ts';
import type { Router } from '../navigation/router.ts';
import { readErrorReportingConfig } from './error-reporting-config.ts';
import { followRecording } from './follow-recording.ts';
import { isReportable } from './is-reportable.ts';
import { releaseName } from './release-name.ts';
import { createReportTransport } from './report-transport.ts';
import { unexpectedErrorFrom } from './unexpected-error-from.ts';

/**
 * Starts reporting unexpected errors to the configured service, with traces at its sample rate, and session recordings of
 * clients who agree to them.
 * The service may be down, slow or hostile: nothing waits for it, and its responses have no effect on the page.
 * @param earlyListeners removes the listeners that collected uncaught errors until now
 */
export function startErrorReporting(
  services: Services,
  router: Router,
  earlyListeners: AbortController,
): void {
  const config = readErrorReportingConfig(services.config.error_reporting);
  if (!config) return;
  const isTraced = config.traces_sample_rate > 0;
  const client = init({
    dsn: config.dsn,
    environment: config.environment,
    release: releaseName(config.release, document.getElementById('keyturn-build')?.textContent),
    tracesSampleRate: config.traces_sample_rate,
    replaysSessionSampleRate: config.replays_session_sample_rate,
    replaysOnErrorSampleRate: config.replays_on_error_sample_rate,
    transport: createReportTransport,
    beforeSend: (event, { originalException }) => (isReportable(event, originalException) ? event : null),
    sendClientReports: false,
    // Every service that speaks Sentry's protocol understands transactions.
    traceLifecycle: 'static',
    dataCollection: { userInfo: false, cookies: false, urlQueryParams: false },
    // Our API rejects tracing headers; its responses carry a request id instead.
    tracePropagationTargets: [],
    defaultIntegrations: false,
    integrations: [
      eventFiltersIntegration(),
      globalHandlersIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      httpContextIntegration(),
      // A breadcrumb of a click contains the text of the element.
      breadcrumbsIntegration({ dom: !config.mask_all }),
      ...(isTraced ? [browserTracingIntegration({ beforeStartSpan: nameByRoute })] : []),
    ],
  });
  if (client && services.recordingChoice.isOffered) followRecording(client, config, services, router);
  earlyListeners.abort();
  services.errorReports.subscribe((report) => {
    const error = unexpectedErrorFrom(report);
    if (error !== undefined) captureException(error);
  });
}

/** Names a trace by its route, such as `/documents/:id`, so that traces of one screen belong together. */
function nameByRoute<Options extends { name: string; attributes?: object }>(options: Options): Options {
  const match = matchPath(options.name);
  if (!match) return options;
  return {
    ...options,
    name: match.entry.path,
    attributes: { ...options.attributes, 'sentry.source': 'route' },
  };
}
