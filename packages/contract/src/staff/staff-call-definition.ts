import type { CallDefinition } from '../calls/call-definition.ts';
import { usualPolicy } from '../calls/call-policy.ts';
import type { ErrorCode } from '../errors.ts';
import type { StaffErrorCode } from './staff-errors.ts';
import type { StaffRole } from './staff-vocabulary.ts';

/**
 * The callers that may make a call of the staff API. `desk` needs no session; `enrolling` also works before the second
 * factor is added; roles need one of them. A change always needs the desk’s origin.
 */
type StaffAccess = 'desk' | 'enrolling' | readonly StaffRole[];

/** One call of the staff API. */
export interface StaffCallDefinition extends CallDefinition<StaffAccess, ErrorCode | StaffErrorCode> {
  /** The member must have proved who they are within the last five minutes. */
  confirmed?: true;
}

/** What calls of the staff API have in common: only the desk makes them, also during maintenance. */
export const deskDefaults = {
  ...usualPolicy,
  cookies: 'no-other-origin',
  duringMaintenance: true,
} as const;
