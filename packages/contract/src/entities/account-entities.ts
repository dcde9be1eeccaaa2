import { type Static, Type } from 'typebox';
import { AddedField, Id, Instant, Nullable, OneOf } from './values.ts';

/** A passkey or an authenticator app, of a client or of a staff member. */
export const Factor = Type.Object({
  id: Id,
  kind: OneOf(['passkey', 'authenticator']),
  name: Type.String(),
  created_at: Instant,
  last_used_at: Nullable(Instant),
});
export type Factor = Static<typeof Factor>;

export const Factors = Type.Object({
  factors: Type.Array(Factor),
  /** Recovery codes that were not used. */
  recovery_codes_left: Type.Integer(),
});
export type Factors = Static<typeof Factors>;

export const AddedFactor = Type.Object({
  factor: Factor,
  /** Shown once, with the first factor; null with each further one. */
  recovery_codes: Nullable(Type.Array(Type.String())),
});
export type AddedFactor = Static<typeof AddedFactor>;

/** The secret of an authenticator app that is being added. */
export const NewAuthenticator = Type.Object({
  id: Type.String(),
  /** In Base32. */
  secret: Type.String(),
  /** For a QR code. */
  uri: Type.String(),
});
export type NewAuthenticator = Static<typeof NewAuthenticator>;

/** Days in which a phone number that a client has changed themselves must not be used to check who they are. */
export const newPhoneDays = 7;

/** How a client signs in, and how we reach them. */
export const Account = Type.Object({
  email: Type.String(),
  /** An address that the client wants to change to, until both addresses have confirmed the change. */
  new_email: Nullable(
    Type.Object({
      email: Type.String(),
      expires_at: Instant,
      is_confirmed_at_new: AddedField(Type.Boolean()),
      is_confirmed_at_former: AddedField(Type.Boolean()),
    }),
  ),
  /** Whether the current address has to confirm a change of it too; not after an undone change, which leaves it in doubt. */
  confirms_change_at_current: AddedField(Type.Boolean()),
  phone: AddedField(Nullable(Type.String())),
  ...Factors.properties,
  /** The characters that a new password needs at least. */
  min_password_length: Type.Integer(),
});
export type Account = Static<typeof Account>;
