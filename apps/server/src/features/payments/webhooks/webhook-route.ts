import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../../platform/domain-error.ts';
import { limitAlerts } from '../../../platform/limit-alerts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import type { PaymentProvider } from '../ports.ts';
import { handleWebhookEvent } from './handle-webhook-event.ts';
import { createRejectionLimit, type RejectedWebhooks } from './limit-rejected.ts';
import { createSignatureWatch } from './watch-signatures.ts';

const maxBytes = 64 * 1024;

/**
 * Registers `POST /webhooks/{provider}`. It reads the raw body for any content type, because that is what was signed.
 * Each account at a provider has its own address, where only its own secrets are accepted. Answers 400 without a
 * reason if the signature is wrong, with an alert if it names an existing payment, 413 with an alert once an hour if
 * the body is larger than any that a provider sends, 200 once the event is stored, and 5xx only if it was not stored.
 * An address with too many rejected webhooks gets 429 before its body is read.
 */
export function webhookRoute(
  dependencies: PaymentDependencies,
  senders: readonly PaymentProvider[],
  rejected: RejectedWebhooks,
) {
  // Anyone can send any number of requests to this route.
  const alertOnceAnHour = limitAlerts(dependencies.alertOperator, dependencies.clock);
  const watchSignature = createSignatureWatch(dependencies);
  const limit = createRejectionLimit(rejected);
  return async (api: FastifyInstance): Promise<void> => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    api.post<{ Params: { provider: string } }>(
      '/webhooks/:provider',
      {
        schema: { hide: true } as object,
        bodyLimit: maxBytes,
        onRequest: ({ ip }) => limit.check(ip),
        errorHandler: (error, request) => {
          if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
            const bytes = Number(request.headers['content-length']) || `more than ${maxBytes}`;
            limit.onRejected(request.ip);
            alertOnceAnHour('too large', 'a webhook was too large to be read', { bytes });
          }
          throw error;
        },
      },
      async (request, reply) => {
        const { clock } = dependencies;
        const provider = senders.find(({ name }) => name === request.params.provider);
        if (!provider) {
          limit.onRejected(request.ip);
          throw new DomainError('not_found');
        }
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const event = provider.readWebhook(body, request.headers, clock());
        if (!event) {
          limit.onRejected(request.ip);
          request.log.warn({ bytes: body.length }, 'a webhook was rejected');
          await watchSignature(provider.name, body);
          return reply
            .code(400)
            .send({ message: 'This webhook is not signed for this installation.', code: 'invalid_input' });
        }
        limit.onAccepted(request.ip);
        await handleWebhookEvent({ ...dependencies, provider }, event);
        return { received: true };
      },
    );
  };
}
