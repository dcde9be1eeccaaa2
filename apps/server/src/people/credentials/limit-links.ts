import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Lane, passwordLinkLanes } from './attempt-lanes.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';

/** A link that was emailed, and the caller who uses it. */
export interface UsedLink {
  accountKind: AccountKind;
  token: string;
  /** IP address. */
  address: string;
}

/**
 * Admits an attempt that is no sign-in: a request for emails, or the use of a link. The caller settles it.
 * @throws DomainError `too_many_requests`
 */
export const admitRequest = (throttle: LoginThrottle, lanes: readonly Lane[]): Promise<LoginAttempt> =>
  throttle.admit(lanes).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'too_many_login_attempts') throw error;
    throw new DomainError('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  });

/**
 * Makes a call that sends an email, and counts it if it succeeds.
 * @throws DomainError `too_many_requests`
 */
export async function limitSending<Result>(
  throttle: LoginThrottle,
  lanes: readonly Lane[],
  send: () => Promise<Result>,
): Promise<Result> {
  const attempt = await admitRequest(throttle, lanes);
  const result = await attempt.withdrawnIfFails(send());
  attempt.failed();
  return result;
}

/**
 * Uses a link. Those that do not work are limited: five a minute per link, twenty per address.
 * @param use throws `link_expired` if the link does not work
 * @throws DomainError `too_many_requests`, and the errors of `use`
 */
export async function useLink<Result>(
  throttle: LoginThrottle,
  link: UsedLink,
  use: () => Promise<Result>,
): Promise<Result> {
  const attempt = await admitRequest(throttle, lanesOf(link));
  const result = await use().catch(async (error: unknown) => {
    if (error instanceof DomainError && error.code === 'link_expired') attempt.failed();
    else await attempt.withdrawn();
    throw error;
  });
  await attempt.withdrawn();
  return result;
}

/**
 * Finds out whether a link works, within the same limits.
 * @param find returns null if it does not work
 * @throws DomainError `too_many_requests`
 */
export async function checkLink<Found>(
  throttle: LoginThrottle,
  link: UsedLink,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  const attempt = await admitRequest(throttle, lanesOf(link));
  const found = await attempt.withdrawnIfFails(find());
  if (found === null) attempt.failed();
  else await attempt.withdrawn();
  return found;
}

const lanesOf = ({ accountKind, token, address }: UsedLink) =>
  passwordLinkLanes('use', accountKind === 'client' ? token : `staff ${token}`, address);
