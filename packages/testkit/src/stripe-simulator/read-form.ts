/** Parses a body as Stripe's SDK sends it: `amount=100&metadata[payment_id]=…` */
export const readForm = (body: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body));
