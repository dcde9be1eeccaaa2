/** An error response of Stripe's API. */
export class StripeApiError extends Error {
  override name = 'SimulatedError';
  readonly status: number;
  readonly body: { error: Record<string, unknown> };
  /** The rule that the request breaks, by its id in `rules`; null for a decline. */
  readonly rule: string | null;

  constructor(
    status: number,
    code: string | null,
    message: string,
    { rule = null, ...more }: Record<string, unknown> & { rule?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.rule = rule;
    this.body = { error: { type: 'invalid_request_error', ...(code ? { code } : {}), message, ...more } };
  }
}

/** Creates the error for an id that the account does not have. @param kind such as `payment_intent` */
export const resourceMissing = (kind: string, id: string, param = 'id'): StripeApiError =>
  new StripeApiError(404, 'resource_missing', `No such ${kind}: '${id}'`, { param, rule: 'object-missing' });
