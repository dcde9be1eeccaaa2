import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import { onRequestEnd } from '../on-request-end.ts';

/** Limits the files that are received and stored at the same time: each is in memory. */
export interface UploadLimit {
  /** Admits a request, before its body is read. @throws DomainError `unavailable` */
  enter(request: FastifyRequest, reply: FastifyReply): void;
  /** Stores the file of an admitted request. The next one is admitted once it is stored, even if its caller has left. */
  during<Result>(request: FastifyRequest, store: () => Promise<Result>): Promise<Result>;
}

/** @param max files at once, on each server */
export function createUploadLimit(max: number): UploadLimit {
  let inProgress = 0;
  const stored = new WeakMap<FastifyRequest, Promise<unknown>>();
  const leave = async (request: FastifyRequest) => {
    await stored.get(request)?.catch(() => {});
    inProgress -= 1;
  };
  return {
    enter: (request, reply) => {
      if (inProgress >= max) throw new DomainError('unavailable');
      // A closed connection emits no more events.
      if (request.raw.socket.destroyed) throw new DomainError('unavailable');
      inProgress += 1;
      onRequestEnd(request.raw, reply.raw, () => void leave(request));
    },
    during: (request, store) => {
      if (request.raw.socket.destroyed) throw new DomainError('unavailable');
      const work = store();
      stored.set(request, work);
      return work;
    },
  };
}
