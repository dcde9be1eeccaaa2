import type {
  BindingMoment,
  CancellationPeriod,
  CaseSearchStatus,
  CaseStatus,
  DocumentGroup,
  FeedRecord,
  Firm,
  Handler,
  HistoryCategory,
  LedgerBalances,
  MaintenanceArea,
  MatterFeature,
  MatterType,
  MilestoneActor,
  MilestoneStatus,
  Party,
  Property,
  SignInMethod,
  SigningMethod,
  StepUpMethod,
  TaskKind,
} from '@keyturn/contract';
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytea, day, instant, timestamps } from './table-columns.ts';

/*
 * The tables for Drizzle, with the other `*-tables.ts` files of this folder. `schema.sql` explains them; a test compares
 * both, column by column.
 */

export const installation = pgTable('installation', {
  onlyRow: boolean('only_row').primaryKey().default(true),
  contents: text('holds').$type<'nothing' | 'demonstration' | 'real'>().notNull(),
  firm: jsonb('firm').$type<Firm>(),
  feedFirm: jsonb('feed_firm').$type<Firm>(),
  /** The firm as clients see it, with bank holidays among the closing days. A trigger maintains it. */
  shownFirm: jsonb('shown_firm').$type<Firm>(),
  firmVersion: integer('firm_version').notNull().default(1),
  firmChangedAt: instant('firm_changed_at').notNull().default(sql`now()`),
  firmChangedBy: text('firm_changed_by'),
  demonstrationComplete: boolean('demonstration_complete').notNull().default(false),
  secret: text('secret').notNull(),
  installationId: uuid('installation_id').notNull().default(sql`gen_random_uuid()`),
  formerInstallationIds: uuid('former_installation_ids').array().notNull().default([]),
  updatedAt: timestamps.updatedAt,
});

export const conveyancingCases = pgTable('conveyancing_cases', {
  id: uuid('id').primaryKey(),
  reference: text('reference').notNull(),
  title: text('title').notNull(),
  status: text('status').$type<CaseStatus>().notNull(),
  handlers: jsonb('handlers').$type<Handler[]>().notNull(),
  /** The clients' right to cancel the firm's services. */
  cancellation: text('cancellation').$type<CancellationPeriod>().notNull().default('unknown'),
  cancellationEndsOn: day('cancellation_ends_on'),
  cancellationNoticeGiven: boolean('cancellation_notice_given').notNull().default(false),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  /** When the case was completed or abandoned; null while it is open. */
  closedAt: instant('closed_at'),
  ...timestamps,
});

export const clients = pgTable('clients', {
  id: uuid('id').primaryKey(),
  reference: text('reference').notNull(),
  title: text('title'),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email').notNull(),
  phone: text('phone'),
  /** When the client last changed the phone number themselves; null while the firm’s number is in use. */
  phoneChangedAt: instant('phone_changed_at'),
  /** The number before the client’s recent changes. */
  formerPhone: text('former_phone'),
  /** The numbers that the client set recently, null for a removal. The firm’s system may have copied any of them. */
  recentPhones: text('recent_phones').array().$type<(string | null)[]>().notNull().default([]),
  passwordHash: text('password_hash'),
  hasShortPassword: boolean('has_short_password').notNull().default(false),
  activeCaseId: uuid('active_case_id'),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  replacedFeedEmail: text('replaced_feed_email'),
  /** The number that the firm’s system last sent, if `phoneChangedAt` is set; null if it sent none. */
  replacedFeedPhone: text('replaced_feed_phone'),
  /**
   * The former address of a change that was undone, until the firm or the client’s own second factor has proved who they are:
   * no links are emailed until then. The account has another address if a different client uses this one by now.
   */
  unrestoredEmail: text('unrestored_email'),
  emailChangeMailedAt: instant('email_change_mailed_at'),
  /** Null: the client may sign in. */
  disabledAt: instant('disabled_at'),
  /** When the client was erased. The row stays if they signed or paid in a case that stays for its other clients. */
  erasedAt: instant('erased_at'),
  ...timestamps,
});

export const caseClients = pgTable(
  'case_clients',
  { caseId: uuid('case_id').notNull(), clientId: uuid('client_id').notNull() },
  (table) => [primaryKey({ columns: [table.caseId, table.clientId] })],
);

export const matters = pgTable('matters', {
  id: uuid('id').primaryKey(),
  caseId: uuid('case_id').notNull(),
  reference: text('reference').notNull(),
  matterType: text('matter_type').$type<MatterType>().notNull(),
  status: text('status').$type<CaseStatus>().notNull(),
  property: jsonb('property').$type<Property>().notNull(),
  targetExchangeOn: day('target_exchange_on'),
  targetCompletionOn: day('target_completion_on'),
  exchangedOn: day('exchanged_on'),
  completedOn: day('completed_on'),
  parties: jsonb('parties').$type<Party[]>().notNull(),
  exchange: jsonb('exchange').$type<FeedRecord<'matters'>['exchange']>(),
  features: text('features').array().$type<MatterFeature[]>().notNull().default([]),
  ledger: jsonb('ledger').$type<LedgerBalances>(),
  pathVersion: integer('path_version').notNull().default(1),
  position: integer('position').notNull(),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const milestones = pgTable('milestones', {
  id: uuid('id').primaryKey(),
  matterId: uuid('matter_id').notNull(),
  key: text('key').notNull(),
  title: text('title').notNull(),
  explanation: text('explanation').notNull(),
  stageTitle: text('stage_title').notNull(),
  stagePosition: integer('stage_position').notNull(),
  keyMoment: boolean('key_moment').notNull().default(false),
  actor: text('actor').$type<MilestoneActor>().notNull(),
  waitingFor: text('waiting_for'),
  status: text('status').$type<MilestoneStatus>().notNull(),
  reachedOn: day('reached_on'),
  expectedFrom: day('expected_from'),
  expectedTo: day('expected_to'),
  waitingSince: day('waiting_since'),
  waitingSetAt: instant('waiting_set_at'),
  usualDaysFrom: integer('usual_days_from'),
  usualDaysTo: integer('usual_days_to'),
  usualWeeksFrom: integer('usual_weeks_from'),
  usualWeeksTo: integer('usual_weeks_to'),
  figuresOf: day('figures_of'),
  nextUpdateBy: day('next_update_by'),
  position: integer('position').notNull(),
  ...timestamps,
});

export const documents = pgTable('documents', {
  id: uuid('id').primaryKey(),
  matterId: uuid('matter_id').notNull(),
  reference: text('reference').notNull(),
  group: text('group').$type<DocumentGroup>().notNull(),
  title: text('title').notNull(),
  fileName: text('file_name').notNull(),
  mediaType: text('media_type').notNull(),
  size: integer('size').notNull(),
  pages: integer('pages'),
  sha256: text('sha256').notNull(),
  uploadedBy: text('uploaded_by').notNull(),
  sharedAt: instant('shared_at').notNull(),
  supersedesId: uuid('supersedes_id'),
  signing: text('signing').$type<SigningMethod>(),
  bindsOn: text('binds_on').$type<BindingMoment>(),
  receivedOn: day('received_on'),
  /** Whether clients confirm their identity when they sign it on the screen. */
  confirmIdentity: boolean('confirm_identity').notNull().default(false),
  originals: jsonb('originals').$type<{ client_id: string; received_on: string }[]>().notNull().default([]),
  /** The only client who can see it; null: everyone on the case. */
  forClientId: uuid('for_client_id'),
  /** Null: the clients can open it. */
  withdrawnAt: instant('withdrawn_at'),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const documentReads = pgTable(
  'document_reads',
  {
    documentId: uuid('document_id').notNull(),
    clientId: uuid('client_id').notNull(),
    readAt: instant('read_at').notNull().default(sql`now()`),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.clientId] })],
);

export const documentDeliveries = pgTable(
  'document_deliveries',
  {
    documentId: uuid('document_id').notNull(),
    clientId: uuid('client_id').notNull(),
    deliveredAt: instant('delivered_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.clientId] })],
);

/** The strokes of a drawn name: alternating x and y coordinates, in the drawing's own units. */
export interface SignatureDrawing {
  width: number;
  height: number;
  strokes: number[][];
}

export const documentSignatures = pgTable('document_signatures', {
  id: uuid('id').primaryKey(),
  documentId: uuid('document_id').notNull(),
  position: integer('position').notNull(),
  clientId: uuid('client_id').notNull(),
  name: text('name').notNull(),
  method: text('method').$type<'typed' | 'drawn'>().notNull(),
  drawing: jsonb('drawing').$type<SignatureDrawing>(),
  consent: text('consent').notNull(),
  signedAt: instant('signed_at').notNull(),
  address: text('address').notNull(),
  sha256: text('sha256').notNull(),
  /** Null for signatures from before it was recorded. */
  signedInWith: text('signed_in_with').$type<SignInMethod>(),
  /** Null if the signer was not asked to confirm their identity. */
  confirmedWith: text('confirmed_with').$type<StepUpMethod>(),
  confirmedAt: instant('confirmed_at'),
  mac: bytea('mac').notNull(),
});

export const signedFiles = pgTable('signed_files', {
  signatureId: uuid('signature_id').primaryKey(),
  sha256: text('sha256').notNull(),
  size: integer('size').notNull(),
  madeAt: instant('made_at').notNull(),
  mac: bytea('mac').notNull(),
});

export const caseSearches = pgTable('case_searches', {
  id: uuid('id').primaryKey(),
  matterId: uuid('matter_id').notNull(),
  reference: text('reference').notNull(),
  code: text('code').notNull(),
  name: text('name').notNull(),
  supplier: text('supplier').notNull(),
  explanation: text('explanation').notNull(),
  priceNet: integer('price_net').notNull(),
  priceVatRate: numeric('price_vat_rate', { mode: 'number' }).notNull(),
  priceVat: integer('price_vat').notNull(),
  priceGross: integer('price_gross').notNull(),
  supplierCost: integer('supplier_cost'),
  rebate: integer('rebate'),
  estimate: integer('estimate'),
  aboveEstimate: text('above_estimate'),
  refundRule: text('refund_rule').notNull(),
  requiredBy: text('required_by').$type<'lender' | 'firm' | 'optional'>().notNull(),
  status: text('status').$type<CaseSearchStatus>().notNull(),
  expectedOn: day('expected_on'),
  paidAt: instant('paid_at'),
  orderedAt: instant('ordered_at'),
  returnedAt: instant('returned_at'),
  validUntil: day('valid_until'),
  delayedReason: text('delayed_reason'),
  outcome: text('outcome').$type<'clear' | 'attention'>(),
  outcomeSummary: text('outcome_summary'),
  resultDocumentId: uuid('result_document_id'),
  sentStatus: text('sent_status').$type<CaseSearchStatus>(),
  position: integer('position').notNull(),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const tasks = pgTable('tasks', {
  id: uuid('id').primaryKey(),
  caseId: uuid('case_id').notNull(),
  matterId: uuid('matter_id'),
  reference: text('reference').notNull(),
  kind: text('kind').$type<TaskKind>().notNull(),
  title: text('title').notNull(),
  explanation: text('explanation').notNull(),
  dueOn: day('due_on'),
  status: text('status').$type<'open' | 'done'>().notNull(),
  caseSearchId: uuid('case_search_id'),
  documentId: uuid('document_id'),
  amount: integer('amount'),
  position: integer('position').notNull(),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const historyEntries = pgTable('history_entries', {
  id: uuid('id').primaryKey(),
  caseId: uuid('case_id').notNull(),
  /** The firm's own key; null for entries that Keyturn recorded. */
  reference: text('reference'),
  occurredAt: instant('occurred_at').notNull(),
  category: text('category').$type<HistoryCategory>().notNull(),
  actor: text('actor').notNull(),
  summary: text('summary').notNull(),
  link: text('link'),
  feedHash: bytea('feed_hash'),
  feedSentAt: instant('feed_sent_at'),
  ...timestamps,
});

export const sessions = pgTable('sessions', {
  tokenHash: bytea('token_hash').primaryKey(),
  id: uuid('id').notNull().defaultRandom(),
  ownerId: uuid('client_id').notNull(),
  /** Null for sessions from before it was stored. */
  device: text('device'),
  /** SHA-256 of the token of the known device; null for sessions from before it was stored. */
  deviceHash: bytea('device_hash'),
  signedInWith: text('signed_in_with').$type<SignInMethod>().notNull().default('password'),
  createdAt: timestamps.createdAt,
  expiresAt: instant('expires_at').notNull(),
  lastUsedAt: instant('last_used_at').notNull().default(sql`now()`),
  endedAt: instant('revoked_at'),
  /** When the client last confirmed their identity, at sign-in or later. */
  confirmedAt: instant('confirmed_at').notNull().default(sql`now()`),
  /** When the client last confirmed their identity after the sign-in; null if never. */
  steppedUpAt: instant('stepped_up_at'),
  steppedUpWith: text('stepped_up_with').$type<StepUpMethod>(),
});

export const loginFailures = pgTable('login_failures', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  subject: bytea('subject').notNull(),
  failedAt: instant('failed_at').notNull().default(sql`now()`),
});

export const knownDevices = pgTable(
  'known_devices',
  {
    tokenHash: bytea('token_hash').notNull(),
    clientId: uuid('client_id').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    /** Whether the device is known through a password link alone. */
    awaitsSignIn: boolean('awaits_sign_in').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.tokenHash, table.clientId] })],
);

export const signInWarnings = pgTable('sign_in_warnings', {
  clientId: uuid('client_id').primaryKey(),
  warnedAt: instant('warned_at').notNull(),
});

export const passwordLinks = pgTable('password_links', {
  tokenHash: bytea('token_hash').primaryKey(),
  clientId: uuid('client_id').notNull(),
  purpose: text('purpose').$type<'invitation' | 'forgotten' | 'reset'>().notNull(),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
});

export const emailChanges = pgTable('email_changes', {
  clientId: uuid('client_id').primaryKey(),
  email: text('email').notNull(),
  formerEmail: text('former_email').notNull(),
  confirmHash: bytea('confirm_hash'),
  stopHash: bytea('stop_hash'),
  createdAt: instant('created_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
  stoppableUntil: instant('stoppable_until').notNull(),
  newConfirmedAt: instant('new_confirmed_at'),
  formerConfirmedAt: instant('former_confirmed_at'),
  /** When both addresses had confirmed it, so that it was made. */
  confirmedAt: instant('confirmed_at'),
});

export const maintenance = pgTable('maintenance', {
  area: text('area').$type<MaintenanceArea>().primaryKey(),
  message: text('message'),
  until: instant('until'),
  since: instant('since').notNull().default(sql`now()`),
});

export const broadcastEvents = pgTable('broadcast_events', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  transactionId: text('transaction_id').notNull().default(sql`pg_current_xact_id()`),
  channel: text('channel').notNull(),
  event: text('event').notNull(),
  ids: text('ids').array().notNull(),
  exceptSocket: text('except_socket'),
  createdAt: instant('created_at').notNull().default(sql`now()`),
  sentAt: instant('sent_at'),
});

export const oversizedMessages = pgTable('oversized_messages', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  body: text('body').notNull(),
  createdAt: instant('created_at').notNull().default(sql`now()`),
});
