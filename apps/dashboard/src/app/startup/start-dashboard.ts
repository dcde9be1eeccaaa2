import { followTranslations } from '@keyturn/browser/translation/follow-translations.ts';
import { createServices } from '../../api/services/create-services.ts';
import { removeReturnParameters } from '../../api/session/remove-return-parameters.ts';
import { createTabPlaces } from '../../navigation/places.ts';
import { createAppRouter } from '../routing/app-router.ts';
import { followMaintenance } from './follow-maintenance.ts';
import { followSignIn } from './follow-sign-in.ts';
import { keepScrollPositions } from './keep-scroll-positions.ts';
import { showDashboard } from './show-dashboard.tsx';
import { startDelivery } from './start-delivery.ts';
import { startTelemetry } from './start-telemetry.ts';

/** Starts the dashboard: runs everything needed before the first screen, then renders it. */
export function startDashboard(window: Window): void {
  removeReturnParameters(window);
  followTranslations(window.document.body);
  const services = createServices(window);
  const router = createAppRouter(services, createTabPlaces(window));
  startTelemetry(services, router);
  followSignIn(services.auth, router);
  followMaintenance(services, router, window.document);
  keepScrollPositions(router, window);
  startDelivery(services, router);
  void showDashboard(services, router, window.document);
}
