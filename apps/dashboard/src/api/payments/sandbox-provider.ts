import { localFailure } from '@keyturn/browser/calls/api-error.ts';
import { readAnswer, readErrorResponse } from '@keyturn/browser/calls/read-answer.ts';
import {
  type Check,
  isInteger,
  isNullOr,
  isObjectOf,
  isOneOf,
  isString,
} from '@keyturn/browser/checks/check.ts';
import {
  type SandboxAuthenticateBody,
  type SandboxBankBody,
  type SandboxConfirmBody,
  type SandboxIntent,
  toPaymentFailureCode,
} from '@keyturn/contract';
import type { ProviderIntentState } from './provider-intent-state.ts';
import { returnAddress, untilRestored } from './until-restored.ts';

/**
 * The browser's side of the embedded sandbox provider: what Stripe.js is to Stripe. Each call is authorised by the
 * intent's client secret; the client's access token is never sent.
 */
export interface SandboxProvider {
  read(clientSecret: string): Promise<ProviderIntentState>;
  /** Pays with a card. A declined card does not throw: its status is `requires_payment_method`, with a decline. */
  confirm(body: SandboxConfirmBody): Promise<ProviderIntentState>;
  /** Leaves for the bank's page, and resolves if the browser restores this one. */
  payByBank(clientSecret: string): Promise<ProviderIntentState>;
  /** Answers the bank's check for the client. */
  authenticate(body: SandboxAuthenticateBody): Promise<ProviderIntentState>;
}

/** @param baseUrl of the client API, without a trailing slash */
export function createSandboxProvider(baseUrl: string): SandboxProvider {
  const send = async (clientSecret: string, action: string, body?: unknown): Promise<SandboxIntent> => {
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
    return readAnswer(text, isSandboxIntent);
  };
  const read = async (clientSecret: string) => intentStateOf(await send(clientSecret, ''));
  return {
    read,
    confirm: async (body) => intentStateOf(await send(body.client_secret, '/confirm', body)),
    payByBank: async (client_secret) => {
      const body: SandboxBankBody = { client_secret, return_url: returnAddress() };
      const intent = await send(client_secret, '/bank', body);
      // It was paid or cancelled meanwhile.
      if (intent.redirect_url === null) return intentStateOf(intent);
      location.assign(`${baseUrl}${intent.redirect_url}`);
      await untilRestored();
      return read(client_secret);
    },
    authenticate: async (body) => intentStateOf(await send(body.client_secret, '/authenticate', body)),
  };
}

const intentStateOf = ({ status, version, last_error }: SandboxIntent): ProviderIntentState => ({
  status: status === 'canceled' ? 'cancelled' : status,
  revision: String(version),
  decline: last_error && toPaymentFailureCode(last_error.code),
});

const isSandboxIntent: Check<SandboxIntent> = isObjectOf<SandboxIntent>({
  id: isString,
  amount: isInteger,
  currency: isOneOf(['gbp']),
  status: isOneOf(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  version: isInteger,
  redirect_url: isNullOr(isString),
  last_error: isNullOr(isObjectOf<{ code: string; message: string }>({ code: isString, message: isString })),
});
