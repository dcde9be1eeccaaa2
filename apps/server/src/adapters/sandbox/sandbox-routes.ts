import { timingSafeEqual } from 'node:crypto';
import { SandboxAuthenticateBody, SandboxConfirmBody, SandboxIntent } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import type { SandboxIntents } from './sandbox-intents.ts';
import type { StoredIntent } from './stored-intent.ts';

/** Registers the browser's calls to the sandbox, authorised by the intent's client secret as Stripe's are. */
export function sandboxRoutes(intents: SandboxIntents) {
  return async (api: FastifyInstance): Promise<void> => {
    const response = { 200: { type: 'object', properties: { data: SandboxIntent }, required: ['data'] } };
    const hide = { hide: true } as object;

    const authorised = async (id: string, secret: unknown) => {
      const intent = id.length <= 100 && !id.includes('\0') ? await intents.find(id) : undefined;
      if (!intent || !isSame(intent.client_secret, secret)) throw new DomainError('not_found');
      return intent;
    };

    api.get<{ Params: { id: string } }>(
      '/sandbox/payment-intents/:id',
      { schema: { ...hide, response } },
      async (request, reply) => {
        const intent = await authorised(request.params.id, request.headers['x-client-secret']);
        return reply.header('cache-control', 'no-store').send({ data: toSandboxIntent(intent) });
      },
    );
    api.post<{ Params: { id: string }; Body: SandboxConfirmBody }>(
      '/sandbox/payment-intents/:id/confirm',
      { schema: { ...hide, body: SandboxConfirmBody, response } },
      async (request, reply) => {
        const { id } = await authorised(request.params.id, request.body.client_secret);
        const after = await intents.confirm(id, request.body.card);
        return reply.header('cache-control', 'no-store').send({ data: toSandboxIntent(after) });
      },
    );
    api.post<{ Params: { id: string }; Body: SandboxAuthenticateBody }>(
      '/sandbox/payment-intents/:id/authenticate',
      { schema: { ...hide, body: SandboxAuthenticateBody, response } },
      async (request, reply) => {
        const { id } = await authorised(request.params.id, request.body.client_secret);
        const after = await intents.authenticate(id, request.body.outcome);
        return reply.header('cache-control', 'no-store').send({ data: toSandboxIntent(after) });
      },
    );
  };
}

function isSame(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const toSandboxIntent = (intent: StoredIntent): SandboxIntent => ({
  id: intent.id,
  amount: intent.amount,
  currency: 'gbp',
  status: intent.status,
  version: intent.version,
  last_error: intent.error_code
    ? { code: intent.error_code, message: intent.error_message ?? 'The card was declined.' }
    : null,
});
