import type { Sessions } from './sessions.ts';

/** Ends the session that the call came with. Others of the same client, on other devices, go on. */
export async function signOut(sessions: Sessions, client: { sessionHash: Buffer }): Promise<void> {
  await sessions.end(client.sessionHash);
}
