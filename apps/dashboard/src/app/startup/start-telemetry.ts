import type { Services } from '../../api/services/services.ts';
import type { Router } from '../../navigation/router.ts';
import { runAfterLoad } from './after-load.ts';

/**
 * Loads error reporting after the page, if it is configured. Earlier errors are kept and reported then. The dashboard
 * works without it when it does not load.
 */
export function startTelemetry(services: Services, router: Router): void {
  const { config, errorReports } = services;
  if (!config.error_reporting) return;
  const earlyListeners = new AbortController();
  for (const kind of ['error', 'unhandledrejection'])
    addEventListener(kind, errorReports.report, earlyListeners);
  runAfterLoad(async () =>
    (await import('../../telemetry/start-error-reporting.ts')).startErrorReporting(
      services,
      router,
      earlyListeners,
    ),
  );
}
