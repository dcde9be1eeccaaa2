import type { PublicConfig } from '@keyturn/contract';
import { timeoutManager } from '@tanstack/react-query';
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { createLiveStore } from '../../api/services/live-store.ts';
import { readPublicConfig } from '../../api/services/public-config.ts';
import { type Services, ServicesContext } from '../../api/services/services.ts';
import type { AuthState } from '../../api/session/auth-store.ts';
import type { ErrorContent } from '../errors/error-content.ts';
import { ErrorPage } from '../errors/error-page.tsx';
import { routeTable } from '../routing/route-table.ts';
import { createAppRouter } from '../routing/router.tsx';
import { Dashboard } from './dashboard.tsx';

// What queries put off until later is nothing that a build should wait for.
timeoutManager.setTimeoutProvider({
  setTimeout: () => 0,
  clearTimeout: () => undefined,
  setInterval: () => 0,
  clearInterval: () => undefined,
});

/**
 * The HTML of one screen as a signed-out client first sees it; the build runs this, no browser does. Everything on the way
 * has arrived before a byte is written, so nothing in it waits for a script.
 */
export async function prerenderPage(path: string, shown: Partial<PublicConfig>): Promise<string> {
  const { services, router } = createStaticContext(path, shown);
  await router.load();
  return renderToHtml(<Dashboard services={services} router={router} />);
}

/** The same of the start page, as a signed-in client of whom nothing is known yet sees it. */
export async function prerenderHomePage(shown: Partial<PublicConfig>): Promise<string> {
  const { services, router } = createStaticContext('/', shown, {
    access_token: 'nobody',
    token_type: 'Bearer',
    expires_in: 0,
    obtained_at: 0,
    client: null,
  });
  await router.load();
  return renderToHtml(<Dashboard services={services} router={router} />);
}

/** The same of the error page, whatever led to it. */
export async function prerenderErrorPage(words: ErrorContent, shown: Partial<PublicConfig>): Promise<string> {
  const { services, router } = createStaticContext('/', shown);
  return renderToHtml(
    <ServicesContext value={services}>
      <RouterContextProvider router={router}>
        <ErrorPage {...words} />
      </RouterContextProvider>
    </ServicesContext>,
  );
}

async function renderToHtml(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page, {
    // A part above this size would come with a script that puts it in its place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error;
    },
  });
  return new Response(prelude).text();
}

function createStaticContext(
  path: string,
  shown: Partial<PublicConfig>,
  signedInAs: AuthState | null = null,
) {
  const services = createStaticServices({ ...readPublicConfig(null), ...shown }, signedInAs);
  return { services, router: createAppRouter(services, createMemoryHistory({ initialEntries: [path] })) };
}

/** As much as a guard or a first rendering touches. */
function createStaticServices(config: PublicConfig, signedInAs: AuthState | null): Services {
  const never = () => () => undefined;
  return {
    config,
    auth: { get: () => signedInAs, ending: () => null, authorization: () => null, subscribe: never },
    persisted: { read: () => null, subscribe: never },
    live: { ...createLiveStore(), subscribe: never },
    maintenance: { get: () => config.maintenance, refresh: async () => undefined, subscribe: never },
    delivery: { current: null },
  } as unknown as Services;
}

/** Every path that has a screen; `$name` stands for a parameter, and `$` for all the rest. */
export const screenPaths: string[] = [
  ...Object.values(routeTable).map(({ path }) => path),
  '/main',
  '/main/$',
];
