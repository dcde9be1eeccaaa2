import { type RequestPolicy, usualPolicy } from '@keyturn/contract';
import type { FastifyInstance } from 'fastify';
import type { PaymentDependencies } from '../../payments/payment-dependencies.ts';
import type { PaymentProvider } from '../../payments/ports/provider.ts';
import { handleWebhookEvent } from '../../payments/webhooks/handle-webhook-event.ts';
import { createSignatureWatch } from '../../payments/webhooks/watch-signatures.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import { throttledAddress } from '../../platform/requests/throttled-address.ts';

const maxBytes = 64 * 1024;

/** Providers send signed requests from few addresses, and often. */
const policy: RequestPolicy = { ...usualPolicy, priority: 'high', limit: 'none', log: 'webhook' };

/**
 * Registers `POST /webhooks/{provider}`. It reads the raw body for any content type, because that is what was signed.
 * Each account at a provider has its own address, where only its own secrets are accepted. Answers 400 without a
 * reason if the signature is wrong, with an alert if it names an existing payment, 413 with an alert once an hour if
 * the body is larger than any that a provider sends, 200 once the event is stored, and 5xx only if it was not stored.
 * An address with too many wrong signatures gets 429 for the next ones, so that forged webhooks cannot fill the log. A genuine
 * one is always accepted: it may come from the same address, and without trusted proxies all addresses look the same.
 * @param countRejected counts webhooks with a wrong signature by address, and throws `too_many_requests` above the limit
 */
export function webhookRoute(
  dependencies: PaymentDependencies,
  senders: readonly PaymentProvider[],
  countRejected: (address: string) => Promise<void>,
) {
  // Anyone can send any number of requests to this route.
  const alertOnceAnHour = limitAlerts(dependencies.alertOperator, dependencies.clock);
  const watchSignature = createSignatureWatch(dependencies);
  return async (api: FastifyInstance): Promise<void> => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    api.post<{ Params: { provider: string } }>(
      '/webhooks/:provider',
      {
        schema: { hide: true } as object,
        config: { policy },
        bodyLimit: maxBytes,
        errorHandler: (error, request) => {
          if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
            const bytes = Number(request.headers['content-length']) || `more than ${maxBytes}`;
            alertOnceAnHour('too large', 'a webhook was too large to be read', { bytes });
          }
          throw error;
        },
      },
      async (request, reply) => {
        const { clock } = dependencies;
        const provider = senders.find(({ name }) => name === request.params.provider);
        if (!provider) throw new DomainError('not_found');
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const event = provider.readWebhook(body, request.headers, clock());
        if (!event) {
          await countRejected(throttledAddress(request.ip));
          request.log.warn({ bytes: body.length }, 'a webhook was rejected');
          await watchSignature(provider.name, body);
          return reply
            .code(400)
            .send({ message: 'This webhook is not signed for this installation.', code: 'invalid_input' });
        }
        await handleWebhookEvent({ ...dependencies, provider }, event);
        return { received: true };
      },
    );
  };
}
