import { DomainError } from '../../platform/domain-error.ts';
import { passwordLinkLanes } from '../credentials/attempt-lanes.ts';
import type { LoginAttempt, LoginThrottle } from '../credentials/login-throttle.ts';

/** Limits requests for links, and with links that have expired: five a minute per email or link, twenty per address. */
export async function admitLink(
  { throttle }: { throttle: LoginThrottle },
  ...link: Parameters<typeof passwordLinkLanes>
): Promise<LoginAttempt> {
  try {
    return await throttle.admit(passwordLinkLanes(...link));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'too_many_login_attempts') throw error;
    throw new DomainError('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  }
}
