import type { CallHandlers } from '../../http/call-handlers.ts';
import type { PaymentDependencies } from './learn-of-intent.ts';
import { readPayment } from './read-payment.ts';
import { takeSearchPayment } from './take-search-payment.ts';

export function paymentRoutes(
  dependencies: PaymentDependencies,
): CallHandlers<'POST /case-searches/{id}/payments' | 'GET /payments/{id}'> {
  return {
    'POST /case-searches/{id}/payments': ({ client, params, body, idempotencyKey }) =>
      takeSearchPayment(dependencies, {
        clientId: client.id,
        caseSearchId: params.id,
        confirmed: body ?? {},
        idempotencyKey,
      }),
    'GET /payments/{id}': ({ client, params }) => readPayment(dependencies.database, client.id, params.id),
  };
}
