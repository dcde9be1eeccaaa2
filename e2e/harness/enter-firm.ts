import type pg from 'pg';
import { firm, regulation } from '../../demo/firm.ts';
import { connectToProductDatabase } from './product-database.ts';

/** Enters what a firm must show before its clients can sign in, as an admin does at the desk. */
export async function enterFirm(dataDirectory: string): Promise<void> {
  const database = await connectToProductDatabase(dataDirectory);
  await storeFirm(database);
  await database.end();
}

/** Does the same in the database of several servers. */
export async function storeFirm(database: Pick<pg.Client, 'query'>): Promise<void> {
  await database.query('update installation set firm = $1', [{ ...firm, closed_on: [] }]);
  await database.query(
    `insert into firm_data (kind, version, value)
     select kind, version + 1, $1::jsonb from firm_data where kind = 'regulation' order by version desc limit 1`,
    [JSON.stringify(regulation)],
  );
}
