import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { type Services, ServicesContext } from '../../api/services/services.ts';
import type { AppRouter } from '../routing/router.tsx';

/** All of it: the same tree in the browser and where the build renders a page in advance. */
export function Dashboard({ services, router }: { services: Services; router: AppRouter }) {
  return (
    <StrictMode>
      <ServicesContext value={services}>
        <RouterProvider router={router} />
      </ServicesContext>
    </StrictMode>
  );
}
