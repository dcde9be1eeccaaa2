import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import {
  type PaymentProvider,
  ProviderKeyRejected,
  ProviderRefused,
  ProviderRightMissing,
} from '../ports/provider.ts';

export interface KeyWatch {
  provider: PaymentProvider;
  /** Whether the provider's latest answer was that it rejects our key. */
  isKeyRejected(): boolean;
}

/**
 * Wraps a provider so that the operator is alerted as soon as it rejects our key, and then once an hour until it accepts
 * it. A right that the key lacks is a separate alert for each call, and so is an account that the provider does not name. The callers see the provider unchanged.
 */
export function alertOnRejectedKey(
  provider: PaymentProvider,
  { alertOperator, clock }: { alertOperator: AlertOperator; clock: Clock },
): KeyWatch {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  let isRejected = false;
  const watch = async (call: string, answer: Promise<unknown>): Promise<unknown> => {
    try {
      const value = await answer;
      isRejected = false;
      return value;
    } catch (error) {
      if (error instanceof ProviderRightMissing) {
        const { right } = error;
        alertOnceAnHour(`${call} ${right}`, missingRightMessage, { provider: provider.name, call, right });
      } else if (error instanceof ProviderKeyRejected) {
        isRejected = true;
        alertOnceAnHour('key', rejectedKeyMessage, { provider: provider.name, reason: error.message });
      } else if (call === 'readAccountId' && error instanceof ProviderRefused) {
        alertOnceAnHour(call, unknownAccountMessage, { provider: provider.name, reason: error.message });
      }
      throw error;
    }
  };
  const watched = new Proxy(provider, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]) => {
        const answer: unknown = Reflect.apply(member, target, values);
        return answer instanceof Promise ? watch(String(name), answer) : answer;
      };
    },
  });
  return { provider: watched, isKeyRejected: () => isRejected };
}

const missingRightMessage =
  'our key lacks a right at the payment provider, so that this call fails: add the right to the key at the provider';

const unknownAccountMessage =
  'the payment provider refuses to name the account of our key: no payment is started until it does';

export const rejectedKeyMessage =
  'the payment provider rejects our key: no payment can be made or checked until its setting is corrected';
