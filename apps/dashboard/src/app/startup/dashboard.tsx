import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { type Services, ServicesContext } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';

/** The root component, the same in the browser and when the build prerenders a page. */
export function Dashboard({ services, router }: { services: Services; router: AppRouter }) {
  return (
    <StrictMode>
      <ServicesContext value={services}>
        <RouterProvider router={router} />
      </ServicesContext>
    </StrictMode>
  );
}
