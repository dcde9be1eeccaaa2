import { type Static, Type } from 'typebox';
import { OneOf } from './entities.ts';

/**
 * The browser's calls to the embedded sandbox provider, below `/sandbox`: what js.stripe.com is to Stripe.
 * They are authorised by the intent's client secret, as Stripe's are, and exist only where the sandbox is the
 * configured provider. They are no part of the client API.
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

/** What the client told "their bank" in the sandbox's own 3-D Secure page. */
export const SandboxAuthenticateBody = Type.Object(
  { client_secret: Type.String({ maxLength: 200 }), outcome: OneOf(['approved', 'refused']) },
  { additionalProperties: false },
);
export type SandboxAuthenticateBody = Static<typeof SandboxAuthenticateBody>;

/** The intent as the browser sees it. */
export const SandboxIntent = Type.Object({
  id: Type.String(),
  amount: Type.Integer(),
  currency: Type.Literal('gbp'),
  status: OneOf(['requires_payment_method', 'requires_action', 'processing', 'succeeded', 'canceled']),
  /** Grows with every change: two attempts that end alike are told apart by it. */
  version: Type.Integer(),
  last_error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
});
export type SandboxIntent = Static<typeof SandboxIntent>;
