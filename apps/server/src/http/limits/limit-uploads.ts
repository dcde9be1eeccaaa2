import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import { whenClosed } from '../close-responses.ts';

/** Limits the files that are received and stored at the same time: each is in memory. */
export interface UploadLimit {
  /**
   * Admits a request, before its body is read.
   * @param caller the caller whose other files are counted; without it, only the files of all callers together are
   * @throws DomainError `unavailable`, `too_many_requests`
   */
  enter(request: FastifyRequest, reply: FastifyReply, caller?: string): void;
  /**
   * Stores the file of an admitted request. The next one is admitted once it is stored, even if its caller has
   * disconnected.
   */
  during<Result>(request: FastifyRequest, store: () => Promise<Result>): Promise<Result>;
}

/**
 * @param max the maximum number of concurrent files on each server
 * @param maxOfCaller the maximum for each caller, so that one cannot occupy all slots
 */
export function createUploadLimit(max: number, maxOfCaller = max): UploadLimit {
  let inProgress = 0;
  const ofCallers = new Map<string, number>();
  const count = (caller: string, change: 1 | -1) => {
    const next = (ofCallers.get(caller) ?? 0) + change;
    if (next > 0) ofCallers.set(caller, next);
    else ofCallers.delete(caller);
  };
  const stored = new WeakMap<FastifyRequest, Promise<unknown>>();
  const leave = async (request: FastifyRequest, caller: string) => {
    await stored.get(request)?.catch(() => {});
    inProgress -= 1;
    count(caller, -1);
  };
  return {
    enter: (request, reply, caller = '') => {
      if (caller !== '' && (ofCallers.get(caller) ?? 0) >= maxOfCaller)
        throw new DomainError('too_many_requests', { retryAfter: 5 });
      if (inProgress >= max) throw new DomainError('unavailable');
      // A closed connection emits no more events.
      if (request.raw.socket.destroyed) throw new DomainError('unavailable');
      inProgress += 1;
      count(caller, 1);
      void whenClosed(reply.raw).then(() => leave(request, caller));
    },
    during: (request, store) => {
      if (request.raw.socket.destroyed) throw new DomainError('unavailable');
      const work = store();
      stored.set(request, work);
      return work;
    },
  };
}
