import { randomBytes } from 'node:crypto';

/** The columns of a table that a builder's caller may set. */
export type Row<Table extends { $inferInsert: object }> = Partial<Table['$inferInsert']>;

/** Stores one row. @throws Error if the statement stores none */
export async function insertOne<Stored>(statement: PromiseLike<Stored[]>): Promise<Stored> {
  const [row] = await statement;
  if (row === undefined) throw new Error('nothing was stored');
  return row;
}

/** Returns a part of a reference that no other row has. */
export const newMark = () => randomBytes(5).toString('hex');
