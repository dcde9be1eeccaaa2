import { StrictMode } from 'react';
import { type Services, ServicesContext } from '../../api/services/services.ts';
import type { Router } from '../../navigation/router.ts';
import { RootLayout } from '../layouts/root-layout.tsx';

/** The root component, the same in the browser and when the build prerenders a page. */
export function Dashboard({ services, router }: { services: Services; router: Router }) {
  return (
    <StrictMode>
      <ServicesContext value={services}>
        <RootLayout router={router} />
      </ServicesContext>
    </StrictMode>
  );
}
