import { timingSafeEqual } from 'node:crypto';
import {
  SandboxAuthenticateBody,
  SandboxBankBody,
  SandboxConfirmBody,
  SandboxIntent,
} from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import { registerBankPage, sandboxPolicy } from './bank-page.ts';
import type { SandboxIntents } from './sandbox-intents.ts';
import type { StoredSandboxIntent } from './stored-intent.ts';

/** Registers the browser's calls to the sandbox, authorised by the intent's client secret as Stripe's are. */
export function sandboxRoutes(intents: SandboxIntents) {
  return async (api: FastifyInstance): Promise<void> => {
    const response = { 200: { type: 'object', properties: { data: SandboxIntent }, required: ['data'] } };

    const authorised = async (id: string, secret: unknown) => {
      const intent = id.length <= 100 && !id.includes('\0') ? await intents.find(id) : undefined;
      if (!intent || !isSame(intent.client_secret, secret)) throw new DomainError('not_found');
      return intent;
    };

    registerBankPage(api, intents);
    api.get<{ Params: { id: string } }>(
      '/sandbox/payment-intents/:id',
      { config: { policy: sandboxPolicy }, schema: { hide: true, response } as object },
      async (request, reply) => {
        const intent = await authorised(request.params.id, request.headers['x-client-secret']);
        return reply.header('cache-control', 'no-store').send({ data: toSandboxIntent(intent) });
      },
    );
    const post = <Body extends { client_secret: string }>(
      action: string,
      body: object,
      change: (id: string, body: Body, origin: string | undefined) => Promise<StoredSandboxIntent>,
    ) =>
      api.post<{ Params: { id: string } }>(
        `/sandbox/payment-intents/:id/${action}`,
        { config: { policy: sandboxPolicy }, schema: { hide: true, body, response } as object },
        async (request, reply) => {
          const sent = request.body as Body;
          const { id } = await authorised(request.params.id, sent.client_secret);
          const after = await change(id, sent, request.headers.origin);
          return reply.header('cache-control', 'no-store').send({ data: toSandboxIntent(after) });
        },
      );
    post<SandboxConfirmBody>('confirm', SandboxConfirmBody, (id, { card }) => intents.confirm(id, card));
    post<SandboxBankBody>('bank', SandboxBankBody, (id, body, origin) =>
      intents.goToBank(id, ownAddress(body, origin)),
    );
    post<SandboxAuthenticateBody>('authenticate', SandboxAuthenticateBody, (id, { outcome }) =>
      intents.authenticate(id, outcome),
    );
  };
}

/**
 * Reads the URL to which the bank's page redirects. It must be on the origin of the requesting page, so that the
 * bank's page cannot redirect to another site.
 * @throws DomainError `invalid_input`
 */
function ownAddress({ return_url }: SandboxBankBody, origin: string | undefined): string {
  const address = URL.canParse(return_url) ? new URL(return_url) : null;
  if (address !== null && address.origin === origin) return address.href;
  throw new DomainError('invalid_input', {
    errors: { return_url: ['This must be an address on the origin of the request.'] },
  });
}

function isSame(expected: string, given: unknown): boolean {
  if (typeof given !== 'string') return false;
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const toSandboxIntent = (intent: StoredSandboxIntent): SandboxIntent => ({
  id: intent.id,
  amount: intent.amount,
  currency: 'gbp',
  status: intent.status,
  version: intent.version,
  redirect_url:
    intent.status === 'requires_action' && intent.bank_token ? `/sandbox/bank/${intent.bank_token}` : null,
  last_error: intent.error_code
    ? { code: intent.error_code, message: intent.error_message ?? 'The card was declined.' }
    : null,
});
