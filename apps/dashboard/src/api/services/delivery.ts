/** Handles newer builds, and screens that fail to load. Loaded once the page is usable. */
export interface Delivery {
  /**
   * Runs before each navigation. Does not resolve if the whole page is being reloaded.
   * @returns the target of a redirect in the rules of this build, if there is one
   */
  beforeNavigation(to: { pathname: string; href: string }): Promise<string | undefined>;
  /** Prefetches the payload of a path, if the build has prerendered it. */
  prefetch(pathname: string): Promise<unknown>;
  /** Handles a screen that failed to load. Does not resolve if the page is being reloaded. */
  recoverFromFailure(): Promise<ScreenFailure>;
  /** Reloads the page at the client's request, unless the server cannot be reached. */
  reloadPage(): Promise<ScreenFailure>;
}

/**
 * Why a screen failed to load. `…-at-risk`: an automatic reload would lose a payment, entries or the sign-in. `gone`: the
 * page was reloaded, and the screen still failed.
 */
export type ScreenFailure =
  | 'offline'
  | 'unreachable'
  | 'payment-at-risk'
  | 'entries-at-risk'
  | 'sign-in-at-risk'
  | 'gone';

export interface DeliverySlot {
  current: Delivery | null;
  /** Loads it now. @throws if it cannot be loaded */
  start(): Promise<Delivery>;
}
