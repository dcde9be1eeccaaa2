import type { FastifyInstance } from 'fastify';
import { DomainError } from '../../../platform/domain-error.ts';
import { limitAlerts } from '../../../platform/limit-alerts.ts';
import type { PaymentDependencies } from '../payment-dependencies.ts';
import { findProvider } from '../provider/find-provider.ts';
import { handleWebhookEvent } from './handle-webhook-event.ts';

const mostBytes = 64 * 1024;

/**
 * `POST /webhooks/{provider}`: takes the raw body, whatever its content type says, since that is what was signed.
 * 400 without a reason for what is not the provider's; 413 for what is larger than theirs are, and a person is told, once an hour;
 * 200 once it is stored; 5xx only where it is not.
 */
export function webhookRoute(dependencies: PaymentDependencies) {
  // Anybody can send one, and as many as they like.
  const alertOnceAnHour = limitAlerts(dependencies.alertOperator, dependencies.clock);
  return async (api: FastifyInstance): Promise<void> => {
    api.removeAllContentTypeParsers();
    api.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    api.post<{ Params: { provider: string } }>(
      '/webhooks/:provider',
      {
        schema: { hide: true } as object,
        bodyLimit: mostBytes,
        errorHandler: (error, request) => {
          if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
            const bytes = Number(request.headers['content-length']) || `more than ${mostBytes}`;
            alertOnceAnHour('too large', 'a webhook was too large to be read', { bytes });
          }
          throw error;
        },
      },
      async (request, reply) => {
        const { clock } = dependencies;
        const provider = findProvider(dependencies, request.params.provider);
        if (!provider) throw new DomainError('not_found');
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const event = provider.readWebhook(body, request.headers, clock());
        if (!event) {
          request.log.warn({ bytes: body.length }, 'a webhook was refused');
          return reply.code(400).send({ message: 'This is not a webhook of ours.', code: 'invalid_input' });
        }
        await handleWebhookEvent({ ...dependencies, provider }, event);
        return { received: true };
      },
    );
  };
}
