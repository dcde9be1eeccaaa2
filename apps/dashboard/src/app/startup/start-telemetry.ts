import type { Services } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';
import { runAfterLoad } from './after-load.ts';

/**
 * Where errors are to be reported, brings what reports them, once the page is usable. What fails until then is kept and
 * reported as well; and where that does not arrive, the dashboard works without it.
 */
export function startTelemetry(services: Services, router: AppRouter): void {
  const { config, errorReports } = services;
  if (!config.error_reporting) return;
  const early = new AbortController();
  for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, errorReports.report, early);
  runAfterLoad(async () =>
    (await import('../../telemetry/start-error-reporting.ts')).startErrorReporting(services, router, early),
  );
}
