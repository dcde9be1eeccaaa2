import type { StaffRole, StaffState } from '@keyturn/contract/staff';
import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from './table-columns.ts';

/** The tables of staff and their sessions. `schema.sql` explains the columns. */

export const staff = pgTable('staff', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull(),
  name: text('name'),
  role: text('role').$type<StaffRole>().notNull(),
  state: text('state').$type<StaffState>().notNull(),
  passwordHash: text('password_hash'),
  acceptedAt: instant('accepted_at'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

export const staffInvitations = pgTable('staff_invitations', {
  tokenHash: bytea('token_hash').primaryKey(),
  staffId: uuid('staff_id').notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
  withdrawnAt: instant('withdrawn_at'),
});

export const staffSessions = pgTable('staff_sessions', {
  tokenHash: bytea('token_hash').primaryKey(),
  id: uuid('id').notNull(),
  ownerId: uuid('staff_id').notNull(),
  createdAt: instant('created_at').notNull(),
  lastUsedAt: instant('last_used_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  endedAt: instant('ended_at'),
  confirmedAt: instant('confirmed_at').notNull(),
  address: text('address').notNull(),
  userAgent: text('user_agent'),
});

export const staffDevices = pgTable(
  'staff_devices',
  {
    tokenHash: bytea('token_hash').notNull(),
    staffId: uuid('staff_id').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.staffId] })],
);
