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
  const hear = (event: Event & Partial<ErrorEvent & PromiseRejectionEvent>) =>
    reports.tell(event.reason ?? event.error ?? event.message);
  for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, hear, early);
  const start = () =>
    import('../telemetry/report-errors.ts').then(
      ({ reportErrors }) => reportErrors(services, router, () => early.abort()),
      () => {},
    );
  addEventListener('load', () =>
    setTimeout(() => (window.requestIdleCallback ?? setTimeout)(start), startAfter),
  );
}

/** Milliseconds after all that the page itself asks for has come. */
const startAfter = 1_000;
