import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KnownDevices } from '../../platform/credentials/known-devices.ts';
import type { LoginThrottle } from '../../platform/credentials/login-throttle.ts';
import type { Passwords } from '../../platform/credentials/passwords.ts';
import type { Database } from '../../platform/database.ts';
import type { SecretBox } from './factors/secret-box.ts';
import type { StaffSessions } from './sign-in/staff-sessions.ts';

/** The dependencies of the use cases of staff. */
export interface StaffDependencies {
  database: Database;
  clock: Clock;
  passwords: Passwords;
  sessions: StaffSessions;
  devices: KnownDevices;
  throttle: LoginThrottle;
  secrets: SecretBox;
  alertOperator: AlertOperator;
  /** Whether every member needs a passkey or an authenticator app. */
  requiresSecondFactor: boolean;
  /** The name that authenticator apps and passkeys show. */
  productName: string;
}

/** The dependencies of the administration of staff. */
export type StaffAdministration = Pick<StaffDependencies, 'database' | 'clock'>;
