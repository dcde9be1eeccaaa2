import type { PublicConfig } from '@keyturn/contract';
import { createSandboxProvider } from '../../../api/payments/sandbox-provider.ts';
import { stripeProvider } from '../../../api/payments/stripe-provider.ts';
import type { BrowserProvider } from './payment-controller.ts';

/** The browser's side of the configured payment provider. */
export function createBrowserProvider({ api_base_url, payments }: PublicConfig): BrowserProvider {
  if (payments.provider === 'stripe') {
    return { ...stripeProvider, needsRefresh: true };
  }
  const sandbox = createSandboxProvider(api_base_url);
  return {
    read: ({ client_secret }) => sandbox.read(client_secret),
    refuseCheck: (client_secret) => sandbox.authenticate({ client_secret, outcome: 'refused' }),
    needsRefresh: false,
  };
}
