import { bigint, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/** The second factors of one kind of account. `schema.sql` explains the columns. */
export type FactorTables = ReturnType<typeof createFactorTables>;

function createFactorTables(owner: 'staff' | 'client') {
  return {
    factors: pgTable(`${owner}_factors`, {
      id: uuid('id').primaryKey(),
      ownerId: uuid(`${owner}_id`).notNull(),
      kind: text('kind').$type<'authenticator' | 'passkey'>().notNull(),
      name: text('name').notNull(),
      createdAt: instant('created_at').notNull(),
      activeAt: instant('active_at'),
      lastUsedAt: instant('last_used_at'),
      secret: bytea('secret'),
      lastStep: bigint('last_step', { mode: 'number' }),
      credentialId: text('credential_id'),
      publicKey: bytea('public_key'),
      counter: bigint('counter', { mode: 'number' }),
      transports: text('transports').array(),
    }),
    recoveryCodes: pgTable(`${owner}_recovery_codes`, {
      codeHash: bytea('code_hash').primaryKey(),
      ownerId: uuid(`${owner}_id`).notNull(),
      createdAt: instant('created_at').notNull(),
      usedAt: instant('used_at'),
      disabledAt: instant('disabled_at'),
    }),
    challenges: pgTable(
      `${owner}_challenges`,
      {
        browserHash: bytea('browser_hash').notNull(),
        purpose: text('purpose').$type<'sign_in' | 'add' | 'confirm'>().notNull(),
        challenge: text('challenge').notNull(),
        expiresAt: instant('expires_at').notNull(),
      },
      (table) => [primaryKey({ columns: [table.browserHash, table.purpose] })],
    ),
  };
}

export const staffFactorTables = createFactorTables('staff');
export const clientFactorTables = createFactorTables('client');

export type FactorRow = FactorTables['factors']['$inferSelect'];
