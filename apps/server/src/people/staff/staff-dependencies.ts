import type { FactorDependencies } from '../credentials/factors/factor-rules.ts';
import type { KnownDevices } from '../credentials/known-devices.ts';
import type { StaffSessions } from './sign-in/staff-sessions.ts';

/** The dependencies of the use cases of staff. */
export interface StaffDependencies extends FactorDependencies {
  sessions: StaffSessions;
  devices: KnownDevices;
  /** Whether every member needs a passkey or an authenticator app. */
  requiresSecondFactor: boolean;
}

/** The dependencies of the administration of staff. */
export type StaffAdministration = Pick<StaffDependencies, 'database' | 'clock'>;
