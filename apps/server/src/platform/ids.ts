import { randomUUID } from 'node:crypto';

/** A new opaque identifier: UUID version 4, from the system's secure random source. */
export const newId = (): string => randomUUID();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether a text could be one of our identifiers at all. */
export const isId = (value: string): boolean => uuid.test(value);
