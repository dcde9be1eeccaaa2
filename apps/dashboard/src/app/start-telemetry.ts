import type { Services } from '../api/services.ts';
import type { AppRouter } from './router.tsx';

/**
 * Where errors are to be reported, brings what reports them, once the page is usable. What fails until then is kept and
 * reported as well; and where that does not arrive, the dashboard works without it.
 */
export function startTelemetry(services: Services, router: AppRouter): void {
  const { config, reports } = services;
  if (!config.error_reporting) return;
  const early = new AbortController();
  for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, reports.tell, early);
  const start = () =>
    import('../telemetry/report-errors.ts')
      .then((telemetry) => telemetry.reportErrors(services, router, early))
      .catch(() => {});
  addEventListener('load', () => setTimeout(() => (window.requestIdleCallback ?? start)(start), startAfter));
}

/** Milliseconds after all that the page itself asks for has come. */
const startAfter = 1_000;
