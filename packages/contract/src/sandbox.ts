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
  /** Grows with every change, so that two attempts with the same outcome differ. */
  version: Type.Integer(),
  last_error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
});
export type SandboxIntent = Static<typeof SandboxIntent>;
