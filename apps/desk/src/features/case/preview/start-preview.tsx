import { queryClientFor } from '@keyturn/dashboard/api/queries/query-client.ts';
import { readPublicConfig } from '@keyturn/dashboard/api/services/public-config.ts';
import { ServicesContext } from '@keyturn/dashboard/api/services/services.ts';
import { matchPath } from '@keyturn/dashboard/navigation/paths.ts';
import { createRouter } from '@keyturn/dashboard/navigation/router.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { CasePreview } from './case-preview.tsx';
import { connectToDesk } from './connect-to-desk.ts';
import { createPreviewCall, previewedCaseFrom } from './preview-call.ts';
import { createPreviewPlaces } from './preview-places.ts';
import { previewScreen } from './preview-screens.ts';
import { createPreviewServices } from './preview-services.ts';

/** Shows a case as one of its clients sees it. The fragment of the address names the case and the client. */
export function startPreview(window: Window): void {
  const { document, location } = window;
  const root = document.getElementById('root');
  const previewed = previewedCaseFrom(location.hash);
  if (!root || !previewed) return;
  const config = readPublicConfig(document.getElementById('keyturn-config')?.textContent);
  const services = createPreviewServices(config, createPreviewCall(previewed));
  const queries = queryClientFor(services.auth, `${previewed.caseId}/${previewed.clientId}`);
  const places = createPreviewPlaces((pathname) => previewScreen(pathname) !== undefined);
  const router = createRouter({
    places,
    prepare: async (place) => ({ place, match: matchPath(place.pathname) }),
    preload: async () => undefined,
  });
  connectToDesk(window, queries);
  void router.load();
  createRoot(root).render(
    <StrictMode>
      <ServicesContext value={services}>
        <QueryClientProvider client={queries}>
          <CasePreview router={router} />
        </QueryClientProvider>
      </ServicesContext>
    </StrictMode>,
  );
}
