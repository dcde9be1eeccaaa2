import { type FeedList, hasHiddenCharacter } from '@keyturn/contract';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../platform/domain-error.ts';
import { isKind } from './send-records.ts';

/** Returns the parameters of a path that names a record. */
export const paramsOf = ({ params }: FastifyRequest) => params as { kind: string; reference: string };

/** @throws DomainError `not_found` */
export function kindOf(request: FastifyRequest): FeedList {
  const { kind } = paramsOf(request);
  if (!isKind(kind)) throw new DomainError('not_found');
  return kind;
}

/** @throws DomainError `not_found` for a reference that no record can have */
export function storedRecordOf(request: FastifyRequest): { kind: FeedList; reference: string } {
  const { reference } = paramsOf(request);
  // PostgreSQL cannot compare some characters.
  if (hasHiddenCharacter(reference) || !reference.isWellFormed()) throw new DomainError('not_found');
  return { kind: kindOf(request), reference };
}
