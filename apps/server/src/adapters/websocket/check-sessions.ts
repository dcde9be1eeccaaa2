import type { SessionIndex } from './session-index.ts';

export interface SessionCheckOptions {
  index: SessionIndex;
  /**
   * Finds which of these sessions are still valid, each with its expected end (milliseconds since 1970).
   * @throws if they cannot be looked up; the check is repeated
   */
  findLiveSessions(sessions: string[]): Promise<Map<string, number>>;
  endSessions(sessions: readonly string[]): void;
  onError(error: unknown): void;
}

/** @returns a function that checks sessions that are new or have reached their expected end, and ends expired ones */
export function createSessionCheck({ index, findLiveSessions, endSessions, onError }: SessionCheckOptions) {
  let isRunning = false;
  return async (): Promise<void> => {
    if (isRunning) return;
    const due = index.findDue(Date.now());
    if (due.length === 0) return;
    isRunning = true;
    try {
      const live = await findLiveSessions(due);
      endSessions(due.filter((session) => !live.has(session)));
      for (const [session, end] of live) index.setNextCheck(session, end);
    } catch (error) {
      onError(error);
    } finally {
      isRunning = false;
    }
  };
}
