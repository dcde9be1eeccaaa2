import type { CallHandlers, ReadCalls } from '../../http/call-handlers.ts';
import { createBillsRead } from '../../payments/bills/list-bills.ts';
import { cancelPayment } from '../../payments/checkout/cancel-payment.ts';
import type { LimitsByMethod } from '../../payments/checkout/check-can-be-paid.ts';
import { confirmPayment } from '../../payments/checkout/confirm-payment.ts';
import { createPaymentRefresh } from '../../payments/checkout/refresh-payment.ts';
import { retrievePaymentIntent } from '../../payments/checkout/retrieve-payment-intent.ts';
import { startOtherPayment } from '../../payments/checkout/start-other-payment.ts';
import { startSearchPayment } from '../../payments/checkout/start-search-payment.ts';
import { readLink } from '../../payments/links/read-link.ts';
import type { PaymentDependencies } from '../../payments/payment-dependencies.ts';
import { type ReceiptDependencies, readReceipt } from '../../payments/receipts/read-receipt.ts';
import { readPayment, readPayments } from '../../payments/records/read-payment.ts';

export function paymentRoutes(
  dependencies: PaymentDependencies & { limits: LimitsByMethod } & Pick<ReceiptDependencies, 'receipts'>,
): ReadCalls<'GET /bills' | 'GET /payments' | 'GET /payments/{id}'> &
  CallHandlers<
    | 'POST /case-searches/{id}/payments'
    | 'POST /other-payments'
    | 'GET /payment-links/{id}'
    | 'GET /payments/{id}/receipt'
    | 'GET /payments/{id}/intent'
    | 'POST /payments/{id}/confirm'
    | 'POST /payments/{id}/refresh'
    | 'POST /payments/{id}/cancel'
  > {
  const refreshPayment = createPaymentRefresh(dependencies);
  return {
    'POST /case-searches/{id}/payments': ({ client, params, body, idempotencyKey, address }) =>
      startSearchPayment(dependencies, {
        clientId: client.id,
        caseSearchId: params.id,
        confirmed: body ?? {},
        idempotencyKey,
        address,
      }),
    'POST /other-payments': ({ client, body, idempotencyKey, address }) =>
      startOtherPayment(dependencies, { clientId: client.id, body, idempotencyKey, address }),
    'GET /bills': { read: createBillsRead(dependencies) },
    'GET /payments': { read: () => readPayments({}) },
    'GET /payments/{id}': { read: ({ params }) => readPayment(params.id) },
    'GET /payment-links/{id}': ({ client, params }) =>
      readLink(dependencies, { clientId: client.id, linkId: params.id }),
    'GET /payments/{id}/receipt': ({ client, params }) =>
      readReceipt(dependencies, { clientId: client.id, paymentId: params.id }),
    'GET /payments/{id}/intent': ({ client, params, address }) =>
      retrievePaymentIntent(dependencies, { clientId: client.id, paymentId: params.id, address }),
    'POST /payments/{id}/confirm': ({ client, params, body, address }) =>
      confirmPayment(dependencies, {
        clientId: client.id,
        paymentId: params.id,
        confirmed: body,
        address,
      }),
    'POST /payments/{id}/refresh': ({ client, params }) =>
      refreshPayment({ clientId: client.id, paymentId: params.id }),
    'POST /payments/{id}/cancel': ({ client, params }) =>
      cancelPayment(dependencies, { clientId: client.id, paymentId: params.id }),
  };
}
