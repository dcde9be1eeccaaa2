/** An error response of Stripe's API. */
export class StripeApiError extends Error {
  override name = 'SimulatedError';
  readonly status: number;
  readonly body: { error: Record<string, unknown> };

  constructor(status: number, code: string | null, message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { error: { type: 'invalid_request_error', ...(code ? { code } : {}), message, ...more } };
  }
}

/** Creates the error for an id that the account does not have. @param kind such as `payment_intent` */
export const resourceMissing = (kind: string, id: string, param = 'id'): StripeApiError =>
  new StripeApiError(404, 'resource_missing', `No such ${kind}: '${id}'`, { param });
