import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { DomainError } from '../../platform/domain-error.ts';

export interface DownloadLimit {
  /**
   * Runs the work of a download, which counts until the work is done and the response sent or aborted.
   * @throws DomainError `too_many_requests`
   */
  during<Result>(clientId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
}

/** Limits how many downloads each client can have in progress on this server. */
export function limitDownloads(max: number): DownloadLimit {
  const inProgress = new Map<string, number>();
  return {
    during: async (clientId, response, work) => {
      const others = inProgress.get(clientId) ?? 0;
      if (others >= max) throw new DomainError('too_many_requests', { retryAfter: 5 });
      inProgress.set(clientId, others + 1);
      const working = work();
      void Promise.allSettled([working, finished(response)]).then(() => {
        const left = (inProgress.get(clientId) ?? 0) - 1;
        if (left > 0) inProgress.set(clientId, left);
        else inProgress.delete(clientId);
      });
      return working;
    },
  };
}
