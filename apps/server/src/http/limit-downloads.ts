import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { DomainError } from '../platform/domain-error.ts';

export interface DownloadLimit {
  /**
   * Does the work of a download, which counts until the work is done and the answer sent or broken off.
   * @throws DomainError `too_many_requests`
   */
  during<Result>(clientId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
}

/** Each client has at most so many downloads under way on this server. */
export function limitDownloads(most: number): DownloadLimit {
  const underWay = new Map<string, number>();
  return {
    during: async (clientId, response, work) => {
      const others = underWay.get(clientId) ?? 0;
      if (others >= most) throw new DomainError('too_many_requests', { retryAfter: 5 });
      underWay.set(clientId, others + 1);
      const working = work();
      void Promise.allSettled([working, finished(response)]).then(() => {
        const left = (underWay.get(clientId) ?? 0) - 1;
        if (left > 0) underWay.set(clientId, left);
        else underWay.delete(clientId);
      });
      return working;
    },
  };
}
