import './ui/base.css';
import './ui/tokens.css';
import './ui/fonts.css';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createServices } from './api/create-services.ts';
import { leaveReturnAddress } from './api/leave-return-address.ts';
import { ServicesContext } from './api/services.ts';
import { tellSurprise } from './app/error-words.ts';
import { followMaintenance } from './app/follow-maintenance.ts';
import { followSignIn } from './app/follow-sign-in.ts';
import { createAppRouter } from './app/router.tsx';
import { startTelemetry } from './app/start-telemetry.ts';

leaveReturnAddress(window);
const services = createServices(window);
const router = createAppRouter(services);
startTelemetry(services, router);
followSignIn(services.auth, router);
followMaintenance(services, router, document);
document.title = `${services.config.product_name} Client Dashboard`;

const root = document.getElementById('root');
if (!root) throw new Error('the page has no place for the dashboard');
createRoot(root, { onCaughtError: (error) => tellSurprise(error, services.reports.tell) }).render(
  <StrictMode>
    <ServicesContext value={services}>
      <RouterProvider router={router} />
    </ServicesContext>
  </StrictMode>,
);
