import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { PaymentProvider } from '../../payments/ports/provider.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSandboxBalance } from './sandbox-balance.ts';
import { createSandboxDisputes, type SandboxDisputes } from './sandbox-disputes.ts';
import { createSandboxIntents, type SandboxIntents } from './sandbox-intents.ts';
import { createSandboxProvider } from './sandbox-provider.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { deliverSandboxWebhooks } from './sandbox-webhooks.ts';

export interface Sandbox {
  provider: PaymentProvider;
  routes: (api: FastifyInstance) => Promise<void>;
  intents: SandboxIntents;
  disputes: SandboxDisputes;
  /** Starts delivering webhooks. */
  start(): void;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  pool: pg.Pool;
  clock: Clock;
  /** The current webhook secret first. */
  webhookSecrets: readonly [string, ...string[]];
  /** The address for webhooks; null while the server does not listen. */
  webhookUrl(): string | null;
  onError(error: unknown): void;
}

/**
 * Creates the embedded payment provider: real states and real webhooks over HTTP, but no money. It has separate
 * tables, and never shares a transaction with the product.
 */
export function createSandbox({ pool, clock, webhookSecrets, webhookUrl, onError }: SandboxOptions): Sandbox {
  let changed = () => {};
  const intents = createSandboxIntents(pool, clock, () => changed());
  const disputes = createSandboxDisputes(pool, clock, () => changed());
  const webhooks = deliverSandboxWebhooks({
    pool,
    clock,
    secret: webhookSecrets[0],
    url: webhookUrl,
    before: async () => earlier(await intents.settleDue(), await disputes.closeOverdue()),
    onError,
  });
  return {
    provider: createSandboxProvider(
      intents,
      createSandboxBalance(pool, clock),
      webhookSecrets,
      clock,
      disputes,
    ),
    routes: sandboxRoutes(intents),
    intents,
    disputes,
    start: () => {
      changed = webhooks.kick;
      webhooks.kick();
    },
    stop: webhooks.stop,
  };
}

const earlier = (a: Date | null, b: Date | null) => (a && b ? (a < b ? a : b) : (a ?? b));
