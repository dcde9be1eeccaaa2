import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { PaymentProvider } from '../../features/payments/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSandboxIntents, type SandboxIntents } from './sandbox-intents.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { deliverSandboxWebhooks } from './sandbox-webhooks.ts';

export interface Sandbox {
  provider: PaymentProvider;
  routes: (api: FastifyInstance) => Promise<void>;
  intents: SandboxIntents;
  /** Delivers webhooks from now on. */
  start(): void;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  pool: pg.Pool;
  clock: Clock;
  /** The present webhook secret first. */
  webhookSecrets: readonly [string, ...string[]];
  /** Where the product listens for webhooks; null while it does not. */
  webhookUrl(): string | null;
  onError(error: unknown): void;
}

/**
 * The embedded payment provider: real states, real webhooks over HTTP, no money. Its books stand in tables of
 * their own, and its transactions are never part of the product's.
 */
export function createSandbox({ pool, clock, webhookSecrets, webhookUrl, onError }: SandboxOptions): Sandbox {
  let changed = () => {};
  const intents = createSandboxIntents(pool, clock, () => changed());
  const webhooks = deliverSandboxWebhooks({
    pool,
    clock,
    secret: webhookSecrets[0],
    url: webhookUrl,
    before: () => intents.settleDue(),
    onError,
  });
  return {
    provider: createSandboxProvider(intents, webhookSecrets),
    routes: sandboxRoutes(intents),
    intents,
    start: () => {
      changed = webhooks.kick;
      webhooks.kick();
    },
    stop: webhooks.stop,
  };
}
