import { createStore } from '@keyturn/browser/store/create-store.ts';
import type { PublicConfig } from '@keyturn/contract';
import { timeoutManager } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { prerender } from 'react-dom/static';
import { createLiveStore } from '../../api/services/live-store.ts';
import { readPublicConfig } from '../../api/services/public-config.ts';
import { type Services, ServicesContext } from '../../api/services/services.ts';
import { type AuthState, credentialOf } from '../../api/session/auth-store.ts';
import { Navigation } from '../../navigation/navigation.tsx';
import { createFixedPlace } from '../../navigation/places.ts';
import { legacyRoutes, type RouteEntry, routeTable } from '../../navigation/route-table.ts';
import { type ErrorContent, errorContent } from '../errors/error-content.ts';
import { ErrorPage } from '../errors/error-page.tsx';
import { createAppRouter } from '../routing/app-router.ts';
import { Dashboard } from './dashboard.tsx';

// Timers of queries would keep the build from exiting.
timeoutManager.setTimeoutProvider({
  setTimeout: () => 0,
  clearTimeout: () => undefined,
  setInterval: () => 0,
  clearInterval: () => undefined,
});

/**
 * Renders a screen to HTML as a signed-out client first sees it. Runs in the build. Everything lazy has loaded before the
 * first byte is written, so the HTML needs no script to complete it.
 */
export async function prerenderPage(path: string, shown: Partial<PublicConfig>): Promise<string> {
  const { services, router } = createStaticContext(path, shown);
  await router.load();
  return renderToHtml(<Dashboard services={services} router={router} />);
}

/** Renders the home page to HTML as a signed-in client first sees it, before any data is loaded. */
export async function prerenderHomePage(shown: Partial<PublicConfig>): Promise<string> {
  const { services, router } = createStaticContext('/', shown, {
    access_token: 'prerender',
    token_type: 'Bearer',
    expires_in: 0,
    obtained_at: 0,
    client: null,
  });
  await router.load();
  return renderToHtml(<Dashboard services={services} router={router} />);
}

/** Renders the error page with this content to HTML. */
export async function prerenderErrorPage(
  content: ErrorContent,
  shown: Partial<PublicConfig>,
): Promise<string> {
  const { services, router } = createStaticContext('/', shown);
  return renderToHtml(
    <ServicesContext value={services}>
      <Navigation router={router} page={null}>
        <ErrorPage {...content} />
      </Navigation>
    </ServicesContext>,
  );
}

async function renderToHtml(page: ReactNode): Promise<string> {
  const { prelude } = await prerender(page, {
    // React adds a script to move larger parts into place; this limit prevents that.
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
  return { services, router: createAppRouter(services, createFixedPlace(path)) };
}

/** Services with only the parts that guards and a first render use. */
function createStaticServices(config: PublicConfig, signedInAs: AuthState | null): Services {
  const subscribe = () => () => undefined;
  const services = {
    config,
    auth: {
      get: () => signedInAs,
      signOutReason: () => null,
      interruptedClient: () => null,
      credential: () => credentialOf(signedInAs),
      subscribe,
    },
    persisted: { read: () => null },
    isClockWrong: createStore(false),
    live: { ...createLiveStore(), subscribe },
    maintenance: { get: () => config.maintenance, refresh: async () => undefined, subscribe },
    delivery: { current: null },
  } satisfies { [Name in keyof Services]?: Partial<Services[Name]> };
  return services as unknown as Services;
}

/** The titles of the pages that the build prerenders, by their name. */
export const pageTitles = {
  '/': routeTable.index.title,
  '/login': routeTable.login.title,
  '404': errorContent({ statusCode: 404 }).statusTitle,
  '503': errorContent({ statusCode: 503 }).statusTitle,
};

/** The paths of all screens, with patterns for their parameters. `$name` is a parameter; `$` matches the rest. */
export const screenRoutes: Pick<RouteEntry, 'path' | 'params'>[] = [
  ...Object.values<RouteEntry>(routeTable).map(({ path, params = {} }) => ({ path, params })),
  ...legacyRoutes,
];
