import type { CaseSearch } from '@keyturn/contract';
import type { PreviewedCall } from '@keyturn/contract/staff';
import type { AnsweredCalls, ReadCalls } from '../http/call-handlers.ts';
import { DomainError } from '../platform/domain-error.ts';
import { mapRead } from '../platform/reads/client-read.ts';

const notPayable = async () => {
  throw new DomainError('not_payable');
};

/**
 * Changes the handlers for an installation that accepts no payments: no search can be paid, and no payment can be
 * started, resumed or confirmed. Payments that are already with a provider still finish.
 */
export const withoutPayments = (handlers: ClientHandlers): ClientHandlers => ({
  ...withoutSearchPayments(handlers),
  'POST /case-searches/{id}/payments': notPayable,
  'POST /other-payments': notPayable,
  'POST /payments/{id}/confirm': notPayable,
  'GET /payments/{id}/intent': notPayable,
});

/**
 * Changes the handlers for an installation whose searches cannot be paid online. The payments feature refuses to
 * start such payments.
 */
export const withoutSearchPayments = (handlers: ClientHandlers): ClientHandlers => ({
  ...handlers,
  'GET /case-searches': {
    read: (request) =>
      mapRead(handlers['GET /case-searches'].read(request), (caseSearches) =>
        caseSearches.map(notPayableNow),
      ),
  },
  'GET /case-searches/{id}': {
    read: (request) => mapRead(handlers['GET /case-searches/{id}'].read(request), notPayableNow),
  },
});

/** The handlers of all calls of clients; staff use the reads of some of them for the preview of a case. */
export type ClientHandlers = AnsweredCalls & ReadCalls<PreviewedCall | 'GET /case-searches/{id}'>;

const notPayableNow = (caseSearch: CaseSearch): CaseSearch => ({ ...caseSearch, payable: false });
