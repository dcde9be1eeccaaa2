import { createServices } from '../../api/services/create-services.ts';
import { removeReturnParameters } from '../../api/session/remove-return-parameters.ts';
import { createAppRouter } from '../routing/router.tsx';
import { followMaintenance } from './follow-maintenance.ts';
import { followSignIn } from './follow-sign-in.ts';
import { showDashboard } from './show-dashboard.tsx';
import { startDelivery } from './start-delivery.ts';
import { startTelemetry } from './start-telemetry.ts';

/** Starts the dashboard: runs everything needed before the first screen, then renders it. */
export function startDashboard(window: Window): void {
  removeReturnParameters(window);
  const services = createServices(window);
  const router = createAppRouter(services);
  startTelemetry(services, router);
  followSignIn(services.auth, router);
  followMaintenance(services, router, window.document);
  startDelivery(services, router);
  void showDashboard(services, router, window.document);
}
