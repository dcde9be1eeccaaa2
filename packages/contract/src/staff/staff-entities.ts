import { type Static, Type } from 'typebox';
import { Id, Instant, Nullable, OneOf } from '../entities/values.ts';
import { staffRoles, staffStates } from './staff-vocabulary.ts';

export { AddedFactor, Factor, Factors } from '../entities/account-entities.ts';
export * from './staff-vocabulary.ts';

export const StaffMember = Type.Object({
  id: Id,
  email: Type.String(),
  /** Null until the invitation is accepted, if the inviter entered no name. */
  name: Nullable(Type.String()),
  role: OneOf(staffRoles),
  state: OneOf(staffStates),
  created_at: Instant,
});
export type StaffMember = Static<typeof StaffMember>;

/** A staff member as admins see them. */
export const ListedStaffMember = Type.Object({
  ...StaffMember.properties,
  passkeys: Type.Integer(),
  authenticators: Type.Integer(),
  /** Null if there is no open invitation. */
  invitation_expires_at: Nullable(Instant),
  /** Null if they have not signed in within the last 90 days. */
  last_signed_in_at: Nullable(Instant),
});
export type ListedStaffMember = Static<typeof ListedStaffMember>;

/** The sign-in of the caller. */
export const StaffSignIn = Type.Object({
  member: StaffMember,
  /** For the header `X-CSRF-TOKEN` of every request that changes something. */
  csrf_token: Type.String(),
  expires_at: Instant,
  /** Seconds of inactivity after which the session ends. */
  idle_after: Type.Integer(),
  /** Whether the member must add a second factor before using any other call. */
  must_add_factor: Type.Boolean(),
  /** The time until which calls work that need a recent confirmation of the member's identity. */
  confirmed_until: Instant,
});
export type StaffSignIn = Static<typeof StaffSignIn>;

export const StaffSession = Type.Object({
  id: Id,
  created_at: Instant,
  last_used_at: Instant,
  expires_at: Instant,
  /** IP address at sign-in. */
  address: Type.String(),
  /** The browser's own description, at most 300 characters. */
  user_agent: Nullable(Type.String()),
  is_current: Type.Boolean(),
});
export type StaffSession = Static<typeof StaffSession>;
