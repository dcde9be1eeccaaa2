import type { SandboxAuthenticateBody, SandboxConfirmBody, SandboxIntent } from '@keyturn/contract';
import { type Check, isInteger, isNullOr, isObjectOf, isOneOf, isString } from '../checks/check.ts';
import { localFailure } from '../client/api-error.ts';
import { readAnswer, readErrorResponse } from '../client/read-answer.ts';
import type { ProviderIntentState } from './provider-intent-state.ts';

/**
 * The browser's side of the embedded sandbox provider: what Stripe.js is to Stripe. The intent's client secret
 * authorises it; the client's token is never sent.
 */
export interface SandboxProvider {
  read(clientSecret: string): Promise<ProviderIntentState>;
  /** A declined card is an answer: status `requires_payment_method` with a refusal. */
  confirm(body: SandboxConfirmBody): Promise<ProviderIntentState>;
  authenticate(body: SandboxAuthenticateBody): Promise<ProviderIntentState>;
}

/** @param baseUrl the client API's */
export function createSandboxProvider(baseUrl: string): SandboxProvider {
  const ask = async (clientSecret: string, action: string, body?: unknown): Promise<ProviderIntentState> => {
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
    if (!response.ok) throw readErrorResponse(response, text);
    return asWord(readAnswer(text, isSandboxIntent));
  };
  return {
    read: (clientSecret) => ask(clientSecret, ''),
    confirm: (body) => ask(body.client_secret, '/confirm', body),
    authenticate: (body) => ask(body.client_secret, '/authenticate', body),
  };
}

const asWord = ({ status, version, last_error }: SandboxIntent): ProviderIntentState => ({
  status: status === 'canceled' ? 'cancelled' : status,
  revision: String(version),
  refusal: last_error?.code ?? null,
});

const isSandboxIntent: Check<SandboxIntent> = isObjectOf<SandboxIntent>({
  id: isString,
  amount: isInteger,
  currency: isOneOf(['gbp']),
  status: isOneOf(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  version: isInteger,
  last_error: isNullOr(isObjectOf<{ code: string; message: string }>({ code: isString, message: isString })),
});
