import type { CallHandlers } from '../../http/call-handlers.ts';
import { cancelPayment } from './checkout/cancel-payment.ts';
import { type OtherPaymentDependencies, startOtherPayment } from './checkout/start-other-payment.ts';
import { startSearchPayment } from './checkout/start-search-payment.ts';
import { printReceipt, type ReceiptDependencies } from './receipts/print-receipt.ts';
import { listPayments } from './records/list-payments.ts';
import { readPayment } from './records/read-payment.ts';

export function paymentRoutes(
  dependencies: OtherPaymentDependencies & Pick<ReceiptDependencies, 'receipts'>,
): CallHandlers<
  | 'POST /case-searches/{id}/payments'
  | 'POST /other-payments'
  | 'GET /payments'
  | 'GET /payments/{id}'
  | 'GET /payments/{id}/receipt'
  | 'POST /payments/{id}/cancel'
> {
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
    'GET /payments': ({ client }) => listPayments(dependencies, client.id),
    'GET /payments/{id}': ({ client, params }) => readPayment(dependencies.database, client.id, params.id),
    'GET /payments/{id}/receipt': ({ client, params }) =>
      printReceipt(dependencies, { clientId: client.id, paymentId: params.id }),
    'POST /payments/{id}/cancel': ({ client, params }) =>
      cancelPayment(dependencies, { clientId: client.id, paymentId: params.id }),
  };
}
