import { randomUUID } from 'node:crypto';

/** Creates an opaque identifier: a version 4 UUID from the system's secure random source. */
export const newId = (): string => randomUUID();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Tells whether a text has the format of one of our identifiers. */
export const isId = (value: string): boolean => uuid.test(value);
