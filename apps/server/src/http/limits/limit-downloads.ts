import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { DomainError } from '../../platform/domain-error.ts';

export interface DownloadLimit {
  /**
   * Runs the work of a download, which counts until the work is done and the response sent or aborted.
   * @throws DomainError `too_many_requests`
   */
  during<Result>(callerId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
}

/** Downloads per caller at the same time: as many connections as a browser opens to one server. */
export const maxDownloads = 6;

/** Limits how many downloads each client, or each staff member, can have in progress on this server. */
export function limitDownloads(max: number): DownloadLimit {
  const inProgress = new Map<string, number>();
  return {
    during: async (callerId, response, work) => {
      const others = inProgress.get(callerId) ?? 0;
      if (others >= max) throw new DomainError('too_many_requests', { retryAfter: 5 });
      inProgress.set(callerId, others + 1);
      const working = work();
      void Promise.allSettled([working, finished(response)]).then(() => {
        const left = (inProgress.get(callerId) ?? 0) - 1;
        if (left > 0) inProgress.set(callerId, left);
        else inProgress.delete(callerId);
      });
      return working;
    },
  };
}
