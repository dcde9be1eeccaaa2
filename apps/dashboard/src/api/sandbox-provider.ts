import type { SandboxAuthenticateBody, SandboxConfirmBody, SandboxIntent } from '@keyturn/contract';
import { ApiError, localFailure } from './api-error.ts';
import { type Check, isInteger, isNullOr, isOneOf, isRecordOf, isText } from './check.ts';
import { readAnswer, readRefusal } from './read-answer.ts';

/**
 * The browser's side of the embedded sandbox provider: what Stripe.js is to Stripe. The intent's client secret
 * authorises it; the client's token is never sent.
 */
export interface SandboxProvider {
  read(clientSecret: string): Promise<SandboxIntent>;
  /** A declined card is an answer: status `requires_payment_method` with `last_error`. */
  confirm(body: SandboxConfirmBody): Promise<SandboxIntent>;
  authenticate(body: SandboxAuthenticateBody): Promise<SandboxIntent>;
}

/** @param baseUrl the client API's */
export function createSandboxProvider(baseUrl: string): SandboxProvider {
  const ask = async (clientSecret: string, action: string, body?: unknown): Promise<SandboxIntent> => {
    const [id = ''] = clientSecret.split('_secret');
    const response = await fetch(`${baseUrl}/sandbox/payment-intents/${encodeURIComponent(id)}${action}`, {
      method: body ? 'POST' : 'GET',
      headers: body
        ? { Accept: 'application/json', 'Content-Type': 'application/json' }
        : { Accept: 'application/json', 'X-Client-Secret': clientSecret },
      ...(body ? { body: JSON.stringify(body) } : {}),
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(30_000),
    }).catch(() => {
      throw localFailure(navigator.onLine === false ? 'offline' : 'unreachable');
    });
    const text = await response.text().catch(() => {
      throw localFailure('unreachable');
    });
    if (!response.ok) throw readRefusal(response, text);
    return readAnswer(text, isSandboxIntent);
  };
  return {
    read: (clientSecret) => ask(clientSecret, ''),
    confirm: (body) => ask(body.client_secret, '/confirm', body),
    authenticate: (body) => ask(body.client_secret, '/authenticate', body),
  };
}

/** Whether a failed call may have taken effect all the same: then only the payment itself can tell. */
export const outcomeIsUnknown = (error: unknown): boolean =>
  !(error instanceof ApiError) ||
  error.status >= 500 ||
  error.code === 'unreachable' ||
  error.code === 'timed_out';

const isSandboxIntent: Check<SandboxIntent> = isRecordOf<SandboxIntent>({
  id: isText,
  amount: isInteger,
  currency: isOneOf(['gbp']),
  status: isOneOf(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  version: isInteger,
  last_error: isNullOr(isRecordOf<{ code: string; message: string }>({ code: isText, message: isText })),
});
