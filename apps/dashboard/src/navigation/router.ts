import { Redirect } from './outcomes.ts';
import type { RouteMatch } from './paths.ts';
import type { OpenOptions, Place, Places } from './places.ts';

/** The page of a place. */
export interface Page {
  place: Place;
  /** Null for a path without a screen. */
  match: RouteMatch | null;
  /** Why the screen is not shown. */
  error?: unknown;
}

export interface RouterState {
  /** Null until the first page is ready. */
  page: Page | null;
  /** Whether the next page has been awaited for so long that the screen has to say so. */
  isSlow: boolean;
}

export interface RouterOptions {
  places: Places;
  /** Makes a page ready to be rendered. @throws Redirect to show another one */
  prepare(place: Place): Promise<Page>;
  /** Loads the code of a path’s screen. */
  preload(pathname: string): Promise<unknown>;
}

/** Shows the page of each place that the tab comes to, once the page is ready. Until then, the earlier page stays. */
export function createRouter({ places, prepare, preload }: RouterOptions) {
  let state: RouterState = { page: null, isSlow: false };
  let shown: Page | null = null;
  let loading: Promise<void> | null = null;
  const onState = new Set<() => void>();
  const onShown = new Set<(page: Page, before: Page | null) => void>();
  const onMove = new Set<(isNew: boolean) => void>();
  const setState = (next: RouterState) => {
    state = next;
    for (const listener of onState) listener();
  };

  const load = (): Promise<void> => {
    const place = places.current();
    const timer = setTimeout(() => setState({ ...state, isSlow: true }), slowAfterMs);
    const own: Promise<void> = prepare(place)
      .catch((error: unknown): Page | Redirect =>
        error instanceof Redirect ? error : { place, match: null, error },
      )
      .then((page) => {
        clearTimeout(timer);
        // The client has opened another place meanwhile.
        if (own !== loading) return loading ?? undefined;
        if (page instanceof Redirect) {
          places.open(page.href, { replace: true });
          return own === loading ? undefined : (loading ?? undefined);
        }
        loading = null;
        setState({ page, isSlow: false });
        return undefined;
      });
    loading = own;
    return own;
  };
  places.subscribe((isNew) => {
    for (const listener of onMove) listener(isNew);
    void load();
  });

  return {
    state: () => state,
    place: places.current,
    /** The page that was last rendered. */
    shown: () => shown,
    isLoading: () => loading !== null,
    /** Prepares the page of the current place again. */
    load,
    preload,
    askBeforeLeaving: places.askBeforeLeaving,
    /** Opens an address of the dashboard. Resolves once a page is shown. */
    open: (href: string, options?: OpenOptions): Promise<void> => {
      const isShown = new Promise<void>((resolve) => {
        const stop = listen(onShown, () => {
          stop();
          resolve();
        });
      });
      places.open(href, options);
      return isShown;
    },
    /** Called by the root layout once it has rendered a page. */
    recordShown: (page: Page) => {
      const before = shown;
      shown = page;
      for (const listener of [...onShown]) listener(page, before);
    },
    onState: (listener: () => void) => listen(onState, listener),
    onShown: (listener: (page: Page, before: Page | null) => void) => listen(onShown, listener),
    /** Called when the tab’s place changes, before anything else. */
    onMove: (listener: (isNew: boolean) => void) => listen(onMove, listener),
  };
}

export type Router = ReturnType<typeof createRouter>;

/** The time, in milliseconds, after which a slow page is announced. */
const slowAfterMs = 1_000;

function listen<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
