import { navigate } from 'wouter/use-browser-location';

/** An entry of the tab’s history. */
export interface Place {
  pathname: string;
  search: string;
  hash: string;
  /** Path, query and fragment. */
  href: string;
  state: PlaceState;
  /** Its position in the tab’s history. */
  index: number;
}

/** What the dashboard keeps in a history entry. */
export interface PlaceState {
  /** The page to open when the maintenance ends. */
  returnTo?: string;
  /** Fills in the form for a password link. */
  email?: string;
}

export interface OpenOptions {
  replace?: boolean | undefined;
  state?: PlaceState | undefined;
}

/** Whether a navigation has to wait; if so, `leave` continues with it. */
export type AskBeforeLeaving = (next: Pick<Place, 'pathname'>, leave: () => void) => boolean;

/** The current place of the tab, and its earlier ones. */
export interface Places {
  current(): Place;
  open(href: string, options?: OpenOptions): void;
  /** @param onMove `isNew`: the entry is new or has new content, and not one that the client went back to */
  subscribe(onMove: (isNew: boolean) => void): void;
  /** Asks before each navigation within the dashboard. @returns stops asking */
  askBeforeLeaving(ask: AskBeforeLeaving): () => void;
}

/** Follows the history of the tab, even when another script or the browser changes it. */
export function createTabPlaces(window: Window): Places {
  const { history, location } = window;
  let onMove: (isNew: boolean) => void = () => undefined;
  let asking: AskBeforeLeaving | null = null;
  let isReturning = false;
  let isLeaving = false;

  const read = (index: number): Place => {
    const { pathname, search, hash } = location;
    if (history.state?.index !== index) {
      // A fragment link or another script added the entry. The instance’s own method would report it as a navigation.
      Object.getPrototypeOf(history).replaceState.call(history, { ...history.state, index }, '');
    }
    return { pathname, search, hash, href: pathname + search + hash, state: history.state, index };
  };
  const indexOf = (fallback: number): number => {
    const index: unknown = history.state?.index;
    return typeof index === 'number' ? index : fallback;
  };
  // The newest entry is the last, unless the tab was reloaded on an earlier one that has its index.
  let place = read(indexOf(history.length - 1));

  const move = (index: number, isNew: boolean) => {
    place = read(index);
    onMove(isNew);
  };
  // wouter reports calls of these methods as events.
  window.addEventListener('pushState', () => move(place.index + 1, true));
  window.addEventListener('replaceState', () => move(place.index, true));
  window.addEventListener('popstate', () => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    const index = indexOf(place.index + 1);
    const steps = index - place.index;
    const leave = () => {
      isLeaving = true;
      history.go(steps);
    };
    if (!isLeaving && steps !== 0 && asking?.({ pathname: location.pathname }, leave)) {
      isReturning = true;
      history.go(-steps);
      return;
    }
    isLeaving = false;
    move(index, false);
  });

  return {
    current: () => place,
    open: (href, { replace = false, state = {} } = {}) => {
      const index = place.index + (replace ? 0 : 1);
      const open = () => navigate(href, { replace, state: { ...state, index } });
      if (!asking?.(new URL(href, location.href), open)) open();
    },
    subscribe: (listener) => {
      onMove = listener;
    },
    askBeforeLeaving: (ask) => {
      asking = ask;
      return () => {
        if (asking === ask) asking = null;
      };
    },
  };
}

/** A single place, for a page that is rendered without a browser. */
export function createFixedPlace(pathname: string): Places {
  const place = { pathname, search: '', hash: '', href: pathname, state: {}, index: 0 };
  return {
    current: () => place,
    open: () => undefined,
    subscribe: () => undefined,
    askBeforeLeaving: () => () => undefined,
  };
}
