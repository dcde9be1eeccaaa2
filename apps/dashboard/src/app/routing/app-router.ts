import type { Services } from '../../api/services/services.ts';
import { NotFound, Redirect } from '../../navigation/outcomes.ts';
import { decode, matchPath } from '../../navigation/paths.ts';
import type { Place, Places } from '../../navigation/places.ts';
import { createRouter, type Page } from '../../navigation/router.ts';
import { checkParams } from '../guards/check-params.ts';
import { runGuards } from '../guards/run-guards.ts';
import { loadScreen } from './screens.ts';

/** Creates the router of the dashboard. */
export const createAppRouter = (services: Services, places: Places) =>
  createRouter({
    places,
    prepare: (place) => preparePage(place, services),
    preload: async (pathname) => {
      const match = matchPath(pathname);
      if (match) await loadScreen(match.name, match.entry);
    },
  });

/**
 * Checks the parameters of a path, runs its guards and loads its code. Before that, a newer build may take over.
 * @throws Redirect to show another page; NotFound for a path without a screen
 */
async function preparePage(place: Place, services: Services): Promise<Page> {
  const { pathname, href, search } = place;
  const { current } = services.delivery;
  const redirect = current ? await current.beforeNavigation({ pathname, href }) : undefined;
  if (redirect !== undefined) throw new Redirect(redirect);

  const next = new URLSearchParams(search).get('next');
  const context = { services, href, search: next === null ? {} : { next } };
  const match = matchPath(pathname);
  if (!match) {
    // Links in emails from before the token became a fragment.
    const token = /^\/reset-password\/([^/]+)\/?$/i.exec(pathname)?.[1];
    if (token) throw new Redirect(`/reset-password#${decode(token)}`);
    const formerPath = /^\/main(?:\/(.*))?$/i.exec(pathname);
    if (!formerPath) throw new NotFound(`Page not found: ${pathname}`);
    runGuards(['authenticated', 'maintenance'], context);
    const { redirectLegacyPath } = await import('./legacy-paths.ts');
    return redirectLegacyPath(decode(formerPath[1] ?? ''), services);
  }
  checkParams(match.entry.params, match.params, pathname);
  let error: unknown;
  try {
    runGuards(match.entry.guards, context);
  } catch (thrown) {
    if (thrown instanceof Redirect) throw thrown;
    error = thrown;
  }
  await loadScreen(match.name, match.entry);
  return { place, match, error };
}
