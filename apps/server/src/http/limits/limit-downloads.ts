import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../platform/clock.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';
import { whenClosed } from '../close-responses.ts';

export interface DownloadLimit {
  /**
   * Runs the work of a download, which counts until the work is done and the response sent or aborted.
   * @throws DomainError `too_many_requests`; `unavailable` if all callers together have too many
   */
  during<Result>(callerId: string, response: ServerResponse, work: () => Promise<Result>): Promise<Result>;
}

/**
 * Downloads at the same time: of each caller, as many connections as a browser opens to one server; and of all clients or
 * all staff, each of which occupies a connection to the document store until its reader has all of it.
 */
export const maxDownloads = { ofCaller: 6, inAll: 100 };

/**
 * Limits how many downloads can be in progress on this server: of clients, or of staff.
 * @param onFull is called for each rejected download if all callers together have too many
 */
export function limitDownloads(max: typeof maxDownloads, onFull: () => void = () => {}): DownloadLimit {
  const inProgress = new Map<string, number>();
  let all = 0;
  return {
    during: async (callerId, response, work) => {
      const others = inProgress.get(callerId) ?? 0;
      if (others >= max.ofCaller) throw new DomainError('too_many_requests', { retryAfter: 5 });
      if (all >= max.inAll) {
        onFull();
        throw new DomainError('unavailable', { message: full, retryAfter: 5 });
      }
      inProgress.set(callerId, others + 1);
      all += 1;
      const working = work();
      void Promise.allSettled([working, whenClosed(response)]).then(() => {
        all -= 1;
        const left = (inProgress.get(callerId) ?? 0) - 1;
        if (left > 0) inProgress.set(callerId, left);
        else inProgress.delete(callerId);
      });
      return working;
    },
  };
}

const full = 'Too many documents are being downloaded at the moment. Please try again shortly.';

/** Logs that all callers together have too many downloads, once an hour. */
export function warnOfDownloads(app: FastifyInstance): () => void {
  const warn = limitAlerts((message, details) => app.log.warn(details, message), systemClock);
  return () =>
    warn('downloads', 'downloads are rejected: too many are in progress on this server', {
      limit: maxDownloads.inAll,
    });
}
