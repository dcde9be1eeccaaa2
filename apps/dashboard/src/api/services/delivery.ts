/** What takes care of newer builds, and of screens that could not be loaded. It comes once the page is usable. */
export interface Delivery {
  /**
   * Runs before every screen. It does not end while the whole page is being loaded anew.
   * @returns where else the path leads, by the rules of this build
   */
  beforeNavigation(to: { pathname: string; href: string }): Promise<string | undefined>;
  /** Reads in advance what the build has made for a path beside its code, if anything. */
  prefetch(pathname: string): Promise<unknown>;
  /** A screen did not arrive. It does not end while the page is being loaded anew for it. */
  recoverFromFailure(): Promise<ScreenFailure>;
  /** By the client's own wish: loads the page anew, unless we cannot be reached. */
  reloadPage(): Promise<ScreenFailure>;
}

/**
 * Why a screen is not there: no connection; no answer from us; nobody may load the page anew without being asked to,
 * with what the client would lose; or it was loaded anew and the screen did not come with it.
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
  /** Brings it now. @throws when it cannot be loaded */
  start(): Promise<Delivery>;
}
