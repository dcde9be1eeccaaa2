import type { SessionIndex } from './session-index.ts';

export interface SessionCheckOptions {
  index: SessionIndex;
  /**
   * Of these sign-ins, those that hold, each with the moment at which it may be over (milliseconds since 1970).
   * @throws where it cannot be known: it is asked again
   */
  findLiveSessions(sessions: string[]): Promise<Map<string, number>>;
  endSessions(sessions: readonly string[]): void;
  onError(error: unknown): void;
}

/** @returns ends the sign-ins that have run out; it asks only for those that are new, or whose known end has come. */
export function createSessionCheck({ index, findLiveSessions, endSessions, onError }: SessionCheckOptions) {
  let isUnderWay = false;
  return async (): Promise<void> => {
    if (isUnderWay) return;
    const due = index.findDue(Date.now());
    if (due.length === 0) return;
    isUnderWay = true;
    try {
      const live = await findLiveSessions(due);
      endSessions(due.filter((session) => !live.has(session)));
      for (const [session, end] of live) index.setNextCheck(session, end);
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  };
}
