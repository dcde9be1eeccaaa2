import type { CallHandlers } from '../http/call-handlers.ts';
import { DomainError } from '../platform/domain-error.ts';

const notPayable = async () => {
  throw new DomainError('not_payable');
};

/**
 * Changes the handlers for an installation that accepts no card payments: no search can be paid, and no payment can be
 * started, resumed or confirmed. Payments that are already with a provider still finish.
 */
export const withoutPayments = (handlers: CallHandlers): CallHandlers => ({
  ...withoutSearchPayments(handlers),
  'POST /case-searches/{id}/payments': notPayable,
  'POST /other-payments': notPayable,
  'POST /payments/{id}/confirm': notPayable,
  'GET /payments/{id}/intent': notPayable,
});

/** Changes the handlers for an installation whose searches cannot be paid by card. Payments refuses to start one. */
export const withoutSearchPayments = (handlers: CallHandlers): CallHandlers => ({
  ...handlers,
  'GET /case-searches': async (request) => {
    const caseSearches = await handlers['GET /case-searches'](request);
    return caseSearches.map((caseSearch) => ({ ...caseSearch, payable: false }));
  },
  'GET /case-searches/{id}': async (request) => ({
    ...(await handlers['GET /case-searches/{id}'](request)),
    payable: false,
  }),
});
