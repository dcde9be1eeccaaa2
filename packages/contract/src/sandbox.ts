import { type Static, Type } from 'typebox';
import { OneOf } from './entities/values.ts';

/*
 * The browser's calls to the embedded sandbox provider below `/sandbox`, which replaces js.stripe.com. The client
 * secret of the intent authorises them. They exist only if the sandbox is the configured provider, and are not part of
 * the client API.
 */

export const SandboxConfirmBody = Type.Object(
  {
    client_secret: Type.String({ maxLength: 200 }),
    card: Type.Object(
      {
        /** Digits only. */
        number: Type.String({ pattern: '^[0-9]{12,19}$' }),
        exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
        exp_year: Type.Integer({ minimum: 2000, maximum: 2099 }),
        cvc: Type.String({ pattern: '^[0-9]{3,4}$' }),
        name: Type.Optional(Type.String({ maxLength: 200 })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type SandboxConfirmBody = Static<typeof SandboxConfirmBody>;

/** Starts a payment by bank. The response has the address of the page on which the client approves it. */
export const SandboxBankBody = Type.Object(
  {
    client_secret: Type.String({ maxLength: 200 }),
    /** The URL to which the bank's page redirects, on the origin of the page that sends this request. */
    return_url: Type.String({ maxLength: 2_000 }),
  },
  { additionalProperties: false },
);
export type SandboxBankBody = Static<typeof SandboxBankBody>;

/** The client's answer on the 3-D Secure page of the sandbox. */
export const SandboxAuthenticateBody = Type.Object(
  { client_secret: Type.String({ maxLength: 200 }), outcome: OneOf(['approved', 'refused']) },
  { additionalProperties: false },
);
export type SandboxAuthenticateBody = Static<typeof SandboxAuthenticateBody>;

/** The part of an intent that the browser sees. */
export const SandboxIntent = Type.Object({
  id: Type.String(),
  amount: Type.Integer(),
  currency: Type.Literal('gbp'),
  status: OneOf(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  /** Increases with every change, so that two attempts with the same outcome differ. */
  version: Type.Integer(),
  /** The URL of the bank's page, while a payment by bank waits for the client's approval. */
  redirect_url: Type.Union([Type.String(), Type.Null()]),
  last_error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
});
export type SandboxIntent = Static<typeof SandboxIntent>;
