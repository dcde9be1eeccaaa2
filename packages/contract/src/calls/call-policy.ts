/** An event that matters to an audit, which is logged besides the request. */
export type LoggedEvent =
  | 'sign-in'
  | 'sign-out'
  | 'staff-sign-in'
  | 'staff-sign-out'
  | 'password-link-requested'
  | 'password-set'
  | 'payment-requested'
  | 'payment-cancelled'
  | 'document-signed'
  | 'webhook';

/** How the server treats requests before it knows their content. Every route has one, whether or not it is a call. */
export interface RequestPolicy {
  /**
   * What dashboards on the other origins that the firm allows may do: `allowed-origins`: make the request with cookies.
   * `own-origin`: make it without cookies. `no-other-origin`: not make it.
   */
  cookies: 'allowed-origins' | 'own-origin' | 'no-other-origin';
  /**
   * `normal`: rejected while the server is overloaded. `high`: never rejected, so that payments in progress can finish.
   * `uncounted`: never rejected and not counted, because it costs little.
   */
  priority: 'high' | 'normal' | 'uncounted';
  /** Which requests count towards the limit of their IP address: all, those that may change something, or none. */
  limit: 'all' | 'changes' | 'none';
  /** What is logged: nothing, the request, or the request and this event. */
  log: 'nothing' | 'request' | LoggedEvent;
}

/** The policy of a call without special needs. */
export const usualPolicy = {
  cookies: 'own-origin',
  priority: 'normal',
  limit: 'all',
  log: 'request',
} as const satisfies RequestPolicy;
