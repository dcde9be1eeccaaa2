import { draftsFor } from '../api/drafts/drafts.ts';
import type { Delivery, ScreenFailure } from '../api/services/delivery.ts';
import type { Services } from '../api/services/services.ts';
import { recordAttempt, wasAttempted } from './attempted-builds.ts';
import { type Build, isManifest, type Manifest, parseOwnBuild, routeRuleFor } from './build-manifest.ts';
import { fetchBuildFile } from './fetch-build-file.ts';
import { checkReachability, fetchLatestBuild } from './latest-build.ts';
import { createPayloads } from './payloads.ts';
import { createReloadGuard } from './reload-guard.ts';
import { watchLatestBuild } from './watch-latest-build.ts';

export interface DeliveryOptions {
  services: Pick<Services, 'config' | 'auth' | 'persisted' | 'tab' | 'paymentInProgress'>;
  /** The path of the screen that is shown. */
  shownPath(): string | undefined;
  window: Window;
}

/** How long a navigation waits for non-essential data, in milliseconds. */
const patienceMs = 1_500;

/**
 * Reads the manifest of the page's build, checks for newer builds, and reloads the whole page where that is safe: on
 * the next navigation after a deployment, and for a screen whose files did not load.
 */
export function createDelivery({ services, shownPath, window }: DeliveryOptions): Delivery {
  const { auth, persisted, tab, paymentInProgress } = services;
  const { document, history, location, navigator } = window;
  const drafts = draftsFor(services);
  const guard = createReloadGuard(tab, history);
  const ownBuild = parseOwnBuild(document.getElementById('keyturn-build')?.textContent);
  const payloads = ownBuild && createPayloads(ownBuild.id);
  let manifest: Manifest | null = null;
  let newerBuild: Build | null = null;

  if (ownBuild) {
    if (!isVerySlow(navigator)) {
      void readManifest(ownBuild).then((found) => {
        manifest = found;
      });
    }
    const intervalMs = services.config.builds.check_every * 1_000;
    if (intervalMs > 0) {
      const onCheck = (found: Build | null) => {
        newerBuild = found;
      };
      const check = watchLatestBuild({ ownBuild, intervalMs, document, onCheck });
      // A missing chunk is often the first sign of a deployment.
      window.addEventListener('vite:preloadError', check);
    }
  }

  /** What the client would lose by an automatic reload. */
  const atRisk = (): ScreenFailure | null => {
    if (paymentInProgress.get()) return 'payment-at-risk';
    if (drafts.hasAny()) return 'entries-at-risk';
    return auth.get() && !persisted.lasts ? 'sign-in-at-risk' : null;
  };
  const readPayload = async (pathname: string) =>
    manifest?.prerendered.includes(pathname) ? await payloads?.read(pathname) : null;
  /** Updates the public configuration, so that a prerendered screen in an old tab shows the firm's current details. */
  const refreshConfig = async (pathname: string) => {
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
    Object.assign(services.config, (await Promise.race([readPayload(pathname), timeout])) ?? {});
  };
  const loadPage = createPageLoader(location, drafts.saveForReload);
  const reloadIfReachable = async (): Promise<ScreenFailure> => {
    const problem = await checkReachability(navigator);
    if (problem !== null) return problem;
    await loadPage(location.href);
    return 'gone';
  };

  return {
    beforeNavigation: async ({ pathname, href }) => {
      const from = shownPath();
      if (pathname !== from) drafts.forgetClosed();
      const { redirect } = manifest ? routeRuleFor(manifest, pathname) : {};
      if (redirect !== undefined && redirect !== pathname) return redirect;
      if (from !== undefined && pathname !== from) await refreshConfig(pathname);
      const target = newerBuild;
      if (!target || from === undefined || pathname === from) return undefined;
      // The sign-in page of this load still has to tell the client why the sign-in ended.
      if ((auth.signOutReason() ?? 'signed_out') !== 'signed_out') return undefined;
      if (atRisk() || wasAttempted(tab, target)) return undefined;
      // A reload must not end on the browser's own error page, nor on a server that still delivers this build.
      const latest = await readLatestBuild(navigator);
      if (latest === null || latest.id === ownBuild?.id || atRisk()) return undefined;
      recordAttempt(tab, target);
      await loadPage(href);
      return undefined;
    },
    prefetch: readPayload,
    recoverFromFailure: async () => {
      const problem = (await checkReachability(navigator)) ?? atRisk();
      if (problem !== null) return problem;
      if (!guard.claim(location.pathname)) return 'gone';
      await loadPage(location.href);
      return 'gone';
    },
    reloadPage: reloadIfReachable,
  };
}

/**
 * Creates a function that loads an address as a whole page, at most one at a time.
 * @param beforeLoad keeps what would be lost with the page
 */
function createPageLoader(location: Location, beforeLoad: () => void): (href: string) => Promise<void> {
  let loading: Promise<void> | null = null;
  return (href) => {
    if (loading) return loading;
    beforeLoad();
    const { href: target } = new URL(href, location.origin);
    if (target === location.href) location.reload();
    else location.assign(target);
    // The page normally unloads before this resolves. If the client stops the load, the navigation continues.
    loading = new Promise((resolve) => {
      setTimeout(() => {
        loading = null;
        resolve();
      }, 10_000);
    });
    return loading;
  };
}

/** @returns null when the manifest cannot be read, which is logged */
const readManifest = ({ id }: Build): Promise<Manifest | null> =>
  fetchBuildFile(`/builds/meta/${id}.json`, isManifest, { maxBytes: 200_000, cache: 'default' }).catch(
    (error: unknown) => {
      console.warn(
        'Could not read the manifest of this build:',
        error instanceof Error ? error.message : error,
      );
      return null;
    },
  );

/** @returns null when it cannot be read before the client would notice the wait */
const readLatestBuild = async (navigator: Navigator): Promise<Build | null> =>
  navigator.onLine === false ? null : await fetchLatestBuild(patienceMs).catch(() => null);

const isVerySlow = (navigator: Navigator) =>
  (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType === 'slow-2g';
