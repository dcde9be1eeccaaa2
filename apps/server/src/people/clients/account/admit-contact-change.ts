import { DomainError } from '../../../platform/domain-error.ts';
import { contactChangeLane } from '../../credentials/attempt-lanes.ts';
import type { LoginAttempt, LoginThrottle } from '../../credentials/login-throttle.ts';

/**
 * Limits how often a client changes a contact detail, because each change is emailed. The caller settles the attempt.
 * @throws DomainError `too_many_requests`
 */
export const admitContactChange = (
  throttle: LoginThrottle,
  detail: 'email' | 'phone',
  clientId: string,
): Promise<LoginAttempt> =>
  throttle.admit(contactChangeLane(detail, clientId)).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'too_many_login_attempts') throw error;
    throw new DomainError('too_many_requests', { retryAfter: error.retryAfter ?? 60 });
  });
