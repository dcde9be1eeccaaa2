import type { SignedInStaff } from '../../../platform/credentials/signed-in-staff.ts';

/** The desk’s real-time channel. */
export interface DeskChannel {
  /**
   * Signs the desk’s channel for a connection, which is then closed when the member’s session ends.
   * @returns null if the connection belongs to someone else
   */
  authorise(
    socketId: string,
    member: Pick<SignedInStaff, 'id' | 'sessionHash'>,
  ): Promise<{ auth: string; refetchWithin: number } | null>;
}
