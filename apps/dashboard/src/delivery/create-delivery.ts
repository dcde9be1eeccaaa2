import { draftsOf } from '../api/drafts/drafts.ts';
import type { Delivery, ScreenFailure } from '../api/services/delivery.ts';
import type { Services } from '../api/services/services.ts';
import {
  type Build,
  isBuild,
  isManifest,
  type Manifest,
  parseOwnBuild,
  routeRuleFor,
} from './build-manifest.ts';
import { confirmAfterMs, createBuildSightings } from './build-sightings.ts';
import { fetchBuildFile } from './fetch-build-file.ts';
import { createPayloads } from './payloads.ts';
import { createReloadGuard } from './reload-guard.ts';

export interface DeliveryOptions {
  services: Pick<Services, 'config' | 'auth' | 'persisted' | 'tab' | 'paymentUnderWay'>;
  /** Where the client is: the path whose screen is shown. */
  shownPath(): string | undefined;
  window: Window;
}

/**
 * Reads what the page's build says of its routes, looks now and again for another build, and loads the whole page anew
 * where that is right: for the next screen once there is another build, and for a screen that did not arrive.
 */
export function createDelivery({ services, shownPath, window }: DeliveryOptions): Delivery {
  const { auth, persisted, tab, paymentUnderWay } = services;
  const { document, location, navigator } = window;
  const drafts = draftsOf(services);
  const guard = createReloadGuard(tab, window.history);
  const own = parseOwnBuild(document.getElementById('keyturn-build')?.textContent);
  let manifest: Manifest | null = null;
  let newer: Build | null = null;

  if (own) {
    if (!isVerySlow(navigator)) {
      fetchBuildFile(`/builds/meta/${own.id}.json`, isManifest, { maxBytes: 200_000, cache: 'default' }).then(
        (found) => {
          manifest = found;
        },
        (error: unknown) => tell('The manifest of this build could not be read.', error),
      );
    }
    const seconds = services.config.builds.check_every;
    if (seconds > 0) {
      const look = watch(own, seconds * 1_000, document, (found) => {
        newer = found;
      });
      // A part of a screen says itself that it did not arrive; the next screen is to come with all its parts.
      window.addEventListener('vite:preloadError', look);
    }
  }

  /** What a reload without being asked to would take from the client. */
  const atRisk = (): ScreenFailure | null => {
    if (paymentUnderWay.get()) return 'payment-at-risk';
    if (drafts.any()) return 'entries-at-risk';
    return auth.get() && !persisted.lasts ? 'sign-in-at-risk' : null;
  };
  const payloads = own ? createPayloads(own.id) : null;
  const payloadOf = async (pathname: string) =>
    manifest?.prerendered.includes(pathname) ? await payloads?.read(pathname) : null;
  /** What a prerendered screen says of the firm is as new as the screen, however old the tab is. */
  const freshen = async (pathname: string) => {
    const isLate = new Promise<null>((done) => setTimeout(done, patience, null));
    Object.assign(services.config, (await Promise.race([payloadOf(pathname), isLate])) ?? {});
  };
  let leaving: Promise<void> | null = null;
  const load = (href: string) => {
    if (leaving) return leaving;
    drafts.keep();
    const { href: target } = new URL(href, location.origin);
    if (target === location.href) location.reload();
    else location.assign(target);
    // The page goes. Where somebody stopped it, things go on as they were.
    leaving = new Promise((done) => {
      setTimeout(() => {
        leaving = null;
        done();
      }, 10_000);
    });
    return leaving;
  };

  return {
    beforeScreen: async ({ pathname, href }) => {
      const from = shownPath();
      if (pathname !== from) drafts.forgetLeft();
      const { redirect } = manifest ? routeRuleFor(manifest, pathname) : {};
      if (redirect !== undefined && redirect !== pathname) return redirect;
      if (from !== undefined && pathname !== from) await freshen(pathname);
      const wanted = newer;
      if (!wanted || from === undefined || pathname === from) return undefined;
      // Why a sign-in ended by itself is said by the page on which it did.
      if ((auth.ending() ?? 'left') !== 'left') return undefined;
      if (atRisk() || wasTried(tab, wanted)) return undefined;
      // Not into the browser's own error page, and not to a server that has only this build.
      const latest = await readLatest(navigator);
      if (latest === null || latest.id === own?.id || atRisk()) return undefined;
      noteTried(tab, wanted);
      await load(href);
      return undefined;
    },
    prefetch: payloadOf,
    afterFailure: async () => {
      const reach = await reachUs(navigator);
      if (reach !== null) return reach;
      const risk = atRisk();
      if (risk) return risk;
      if (!guard.claim(location.pathname)) return 'gone';
      await load(location.href);
      return 'gone';
    },
    loadAnew: async () => {
      const reach = await reachUs(navigator);
      if (reach !== null) return reach;
      await load(location.href);
      return 'gone';
    },
  };
}

/** Milliseconds that a screen waits for what it can do without. */
const patience = 1_500;

/**
 * Looks every so often, within a tenth, and at once when the tab is looked at again after longer than that.
 * @returns a look at once
 */
function watch(
  own: Build,
  every: number,
  document: Document,
  onLook: (newer: Build | null) => void,
): () => void {
  const sightings = createBuildSightings(own);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lookedAt = Date.now();
  const plan = (wait: number) => {
    clearTimeout(timer);
    timer = setTimeout(look, wait * (0.9 + Math.random() * 0.2));
  };
  const look = () => {
    lookedAt = Date.now();
    plan(every);
    fetchLatest().then(
      (build) => {
        const what = sightings.record(build, Date.now());
        onLook(what === 'newer' ? build : null);
        if (what === 'perhaps') plan(Math.min(every, confirmAfterMs * 1.2));
      },
      (error: unknown) => tell('Which build is the latest could not be read.', error),
    );
  };
  document.addEventListener('visibilitychange', () => {
    const since = Date.now() - lookedAt;
    // A clock that was put back says nothing.
    if (document.visibilityState === 'visible' && (since > every || since < 0)) look();
  });
  plan(every);
  return look;
}

const fetchLatest = (timeoutMs = 10_000) =>
  fetchBuildFile(`/builds/latest.json?${Date.now()}`, isBuild, {
    maxBytes: 2_000,
    cache: 'no-store',
    timeoutMs,
  });

/** @returns null where it cannot be read while somebody waits for a screen */
const readLatest = async (navigator: Navigator) =>
  navigator.onLine === false ? null : await fetchLatest(patience).catch(() => null);

/** @returns null when we answer, whatever it is: a 5xx is a server that is starting, or has too much to do */
async function reachUs(navigator: Navigator): Promise<'offline' | 'unreachable' | null> {
  if (navigator.onLine === false) return 'offline';
  const asked = fetch(`/builds/latest.json?${Date.now()}`, {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(5_000),
  });
  return asked.then(
    ({ status }) => (status < 500 ? null : 'unreachable'),
    () => 'unreachable',
  );
}

/** Milliseconds in which a build for which the page was loaded anew, in vain, is not tried again. */
const notAgainFor = 10 * 60_000;

function wasTried(tab: Services['tab'], { id }: Build): boolean {
  const found = (tab.read('tried-build') ?? {}) as { id?: unknown; at?: unknown };
  const since = Date.now() - Number(found.at);
  return found.id === id && since >= 0 && since < notAgainFor;
}

const noteTried = (tab: Services['tab'], { id }: Build) => tab.write('tried-build', { id, at: Date.now() });

const isVerySlow = (navigator: Navigator) =>
  (navigator as { connection?: { effectiveType?: string } }).connection?.effectiveType === 'slow-2g';

function tell(what: string, error: unknown): void {
  console.warn(what, error instanceof Error ? error.message : error);
}
