import { setTimeout as pause } from 'node:timers/promises';
import {
  type PaymentProvider,
  type ProviderChoice,
  ProviderKeyRejected,
  ProviderUnavailable,
} from '../ports/provider.ts';

/** Milliseconds before each repetition of a call that the provider did not answer. */
export const defaultWaits: readonly number[] = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000];

/**
 * Wraps the providers so that each unanswered call is retried with growing waits, and fails only after the last one.
 * Only for idempotent calls, as all calls of a recovery are.
 * @param onWait receives what happened, in a sentence for the operator
 */
export function retryUnanswered(
  { provider, providers: { active, former } }: ProviderChoice,
  { waits, onWait }: { waits: readonly number[]; onWait(line: string): void },
): ProviderChoice {
  const wrap = (wrapped: PaymentProvider): PaymentProvider => {
    const repeat = async (call: () => unknown): Promise<unknown> => {
      for (const wait of waits) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof ProviderUnavailable) || error instanceof ProviderKeyRejected) throw error;
          onWait(`${wrapped.name} did not answer. Trying again in ${wait / 1_000} s.`);
          await pause(wait);
        }
      }
      return call();
    };
    return new Proxy(wrapped, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function' || !callsProvider.has(String(name))) return member;
        return (...values: unknown[]) => repeat(() => Reflect.apply(member, target, values));
      },
    });
  };
  return { provider: wrap(provider), providers: { active: active.map(wrap), former: former.map(wrap) } };
}

/** The calls of a recovery. Others are not retried, or do not call the provider. */
const callsProvider: ReadonlySet<string> = new Set<keyof PaymentProvider>([
  'listIntentLabels',
  'retrieveIntent',
  'cancelIntent',
  'readAccountId',
]);
