import type { Sessions } from './sessions.ts';

/** Ends the session that made the call. The client's sessions on other devices continue. */
export async function signOut(sessions: Sessions, client: { sessionHash: Buffer }): Promise<void> {
  await sessions.end(client.sessionHash);
}
