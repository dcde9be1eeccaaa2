import type { StaffRole } from '@keyturn/contract/staff';

/** A signed-in staff member and their session. */
export interface SignedInStaff {
  id: string;
  email: string;
  name: string | null;
  role: StaffRole;
  createdAt: Date;
  sessionId: string;
  /** SHA-256 of the token. */
  sessionHash: Buffer;
  expiresAt: Date;
  /** When the member last proved who they are. */
  confirmedAt: Date;
  /** Whether a second factor must be added before anything else. */
  mustAddFactor: boolean;
}
