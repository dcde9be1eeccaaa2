import type { MatterFeature } from '@keyturn/contract';
import type { DeskCase, TrailEntry } from '@keyturn/contract/staff';
import { formatShortDay, formatShortDayOf } from '@keyturn/format/dates';
import { matterFeatureNames } from '@keyturn/format/matter-names';
import { formatMoney } from '@keyturn/format/money';
import { describeAction } from '../../../api/audit-text.ts';
import { matterInSentence } from '../matter-name.ts';

/* Entries of the audit log about a case, in plain words. */

type Value = NonNullable<TrailEntry['after']>[string] | undefined;

/** The text about an action, with the name of its subject. */
const actions: Record<string, (subject: string) => string> = {
  'case.read': () => 'Opened the case',
  'case.previewed': () => 'Previewed the case as a client',
  'case.quiet_on': () => 'Quiet on',
  'case.quiet_off': () => 'Quiet off',
  'case.hold_placed': () => 'Placed a legal hold on the case',
  'case.hold_released': () => 'Released the legal hold on the case',
  'client.hold_placed': (client) => `Placed a legal hold on ${client}`,
  'client.hold_released': (client) => `Released the legal hold on ${client}`,
  'client.data_exported': (client) => `Exported the data of ${client}`,
  'client.disabled': (client) => `Disabled access for ${client}`,
  'client.enabled': (client) => `Let ${client} sign in again`,
  'client.invited': (client) => `Invited ${client} again`,
  'client.other_sessions_ended': () => 'Signed out on all their other devices',
  'client.password_link_sent': (client) => `Sent ${client} a link for a new password`,
  'client.password_changed': () => 'Changed their password',
  'client.password_set': () => 'Chose a password',
  'client.email_change_cancelled': () => 'Cancelled a change of their email address',
  'client.email_change_confirmed': () => 'Confirmed a change of their email address at one of the addresses',
  'client.email_change_requested': () => 'Asked to change their email address',
  'client.email_change_stopped': () => 'Stopped a change of their email address',
  'client.email_change_undone': () => 'Undid a change of their email address',
  'client.email_changed': () => 'Changed their email address',
  'client.phone_changed': () => 'Changed their phone number',
  'client.factor_added': () => 'Added a passkey or an authenticator app',
  'client.factor_removed': () => 'Removed a passkey or an authenticator app',
  'client.factor_renamed': () => 'Renamed a passkey or an authenticator app',
  'client.identity_confirmed': () => 'Confirmed who they are',
  'client.identity_rejected': () => 'Entered a wrong password or code, or used a wrong passkey',
  'client.recovery_code_used': () => 'Used a recovery code',
  'client.recovery_codes_replaced': () => 'Made new recovery codes',
  'client.sign_in_reset': (client) => `Reset how ${client} signs in`,
  'client.session_ended': () => 'Signed out on another device',
  'client.sessions_ended': (client) => `Signed ${client} out everywhere`,
  'client.signed_in_from_new_device': () => 'Signed in from a new device',
  'desk.file_uploaded': (subject) => `Uploaded the file of ${subject}`,
  'desk.item_assigned': () => 'Assigned an item in Today',
  'desk.record_added': (subject) => `Added ${subject}`,
  'desk.record_changed': (subject) => `Changed ${subject}`,
  'document.malware_found': (subject) => `Tried to add a file with malware to ${subject}`,
  'document.opened': (subject) => `Opened ${subject}`,
  'document.signed': (subject) => `Signed ${subject}`,
  'document.stored_malware_found': (subject) => `Found malware in the stored file of ${subject}`,
  'document.withdrawn': (subject) => `Withdrew ${subject}`,
  'feed.file_sent': (subject) => `Sent the file of ${subject}`,
  'feed.record_read': (subject) => `Read ${subject}`,
  'feed.record_sent': (subject) => `Sent ${subject}`,
  'payment.link_requested': (subject) => `Sent a payment request for ${subject}`,
  'payment.link_withdrawn': (subject) => `Withdrew the request to pay for ${subject}`,
  'payment.refund_requested': (subject) => `Requested a refund of ${subject}`,
  'payment.refund_approval_requested': () => 'Approved a refund',
  'payment.refund_rejection_requested': () => 'Rejected a refund',
  'payment.review_decided': (subject) => `Closed the review of ${subject}`,
};

/** Describes an action: “Changed Drainage search”. */
export function describeEntry({ action, subject }: TrailEntry, deskCase: DeskCase): string {
  return actions[action]?.(nameOf(subject, deskCase)) ?? describeAction(action);
}

/**
 * Returns the name of a record of the case. Entries contain the firm’s reference for records of the feed, and
 * otherwise our id.
 */
function nameOf({ kind, id }: TrailEntry['subject'], deskCase: DeskCase): string {
  const find = <Row extends { id: string; reference?: string }>(rows: readonly Row[]) =>
    rows.find((row) => row.id === id || row.reference === id);
  const matter = kind === 'matter' ? find(deskCase.matters) : undefined;
  const client = kind === 'client' ? find(deskCase.clients) : undefined;
  const names: Record<string, string | undefined> = {
    case: 'the case',
    matter: matter && `the ${matterInSentence(matter)}`,
    client: client && `${client.first_name} ${client.last_name}`,
    search: find(deskCase.searches)?.name,
    document: find(deskCase.documents)?.title,
    task: quoted(find(deskCase.tasks)?.title),
    bill: billName(find(deskCase.bills)?.number),
    payment: find(deskCase.payments)?.description,
    history_entry: 'a history entry',
  };
  return names[kind] ?? `a ${kind.replaceAll('_', ' ')}`;
}

const billName = (number: string | undefined) => number && `bill ${number}`;
const quoted = (text: string | undefined) => text && `“${text}”`;

/**
 * Lists the changed values: “Searches ordered: status from under way to reached”. Texts are hashed in the log and not
 * shown.
 */
export function describeEdits({ action, before, after }: TrailEntry, deskCase: DeskCase): string[] {
  if (action !== 'desk.record_changed') return [];
  return Object.keys({ ...before, ...after }).map((path) => {
    const [, client] = /^clients\.(.+)$/.exec(path) ?? [];
    if (client) return `${clientName(client, deskCase)} ${after?.[path] ? 'added' : 'removed'}`;
    const [, feature] = /^features\.(\w+)$/.exec(path) ?? [];
    if (feature)
      return `Feature “${matterFeatureNames[feature as MatterFeature] ?? feature}” ${after?.[path] ? 'added' : 'removed'}`;
    const label = labelOf(path, deskCase);
    const [from, to] = [valueText(path, before?.[path]), valueText(path, after?.[path])];
    if (from === undefined || to === undefined) return `${label} changed`;
    if (to === null) return from === null ? label : `${label} removed, was ${from}`;
    return from === null ? `${label} set to ${to}` : `${label} from ${from} to ${to}`;
  });
}

/** A client who is no longer on the case has only a reference here. */
function clientName(reference: string, { clients }: DeskCase): string {
  const found = clients.find((client) => client.reference === reference);
  return found ? `${found.first_name} ${found.last_name}` : `Client ${reference}`;
}

/** A milestone’s field is named with the milestone. */
function labelOf(path: string, { matters }: DeskCase): string {
  const [, line, part] = /^lines\.(\d+)\.(.+)$/.exec(path) ?? [];
  if (line) return `Line ${Number(line) + 1}: ${lineLabels[part ?? ''] ?? part}`;
  const [, key, field] = /^milestones\.([^.]+)\.(.+)$/.exec(path) ?? [];
  const milestone =
    key && matters.flatMap(({ milestones }) => milestones).find((known) => known.key === key)?.title;
  const name = field ?? path;
  const label = labels[name] ?? name.replaceAll(/[._]/g, ' ');
  return milestone ? `${milestone}: ${label}` : label.replace(/^./, (letter) => letter.toUpperCase());
}

const lineLabels: Record<string, string> = {
  description: 'what it is for',
  net: 'net amount',
  vat: 'VAT',
  vat_code: 'VAT code',
  money: 'money',
};

const labels: Record<string, string> = {
  binds_on: 'when it becomes binding',
  cancellation: 'right to cancel',
  cancellation_ends_on: 'last day of the right to cancel',
  cancellation_notice_given: 'notice of the right to cancel given',
  delayed_reason: 'reason for the delay',
  due_on: 'due',
  'exchange.authorised_by': 'exchange authorised by',
  'exchange.authorised_on': 'exchange authorised',
  'exchange.deposit.amount': 'deposit',
  'exchange.deposit.held_as': 'deposit is held as',
  exchanged_on: 'exchange',
  completed_on: 'completion',
  confirm_identity: 'clients confirm their identity when they sign',
  expected_on: 'expected',
  for_client: 'shown to',
  group: 'folder',
  'ledger.client': 'client ledger balance',
  'ledger.office': 'office ledger balance',
  'ledger.on': 'day of the ledger balances',
  next_update_by: 'next update',
  outcome_summary: 'what the result says',
  ordered_at: 'ordered',
  paid_at: 'paid',
  'price.gross': 'price',
  'price.net': 'price without VAT',
  'price.vat': 'VAT',
  'price.vat_rate': 'VAT rate',
  reached_on: 'day',
  received_on: 'signed paper received',
  originals: 'originals received',
  result_document: 'file of the result',
  returned_at: 'result received',
  signing: 'signature',
  target_completion_on: 'planned completion',
  target_exchange_on: 'planned exchange',
};

/** @returns null for no value, and undefined for one that is not shown */
function valueText(path: string, value: Value): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (path.endsWith('vat_rate')) return `${value}%`;
    return /^(price|lines|ledger)\.|amount$/.test(path) ? formatMoney(value) : String(value);
  }
  if (value.startsWith('sha256:')) return undefined;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatShortDay(value);
  if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return formatShortDayOf(value);
  // References of other records are meaningless to people.
  if (['result_document', 'supersedes', 'document', 'for_client'].includes(path)) return undefined;
  return statusTexts[value] ?? value.replaceAll('_', ' ');
}

/** Names of fields that the screens word differently. */
const statusTexts: Record<string, string> = {
  upcoming: 'to come',
  current: 'under way',
  blocked: 'held up',
  done: 'done',
  awaiting_payment: 'to pay',
  returned: 'result received',
  wet_ink: 'on paper',
  deed: 'on paper, as a deed',
  simple: 'on the screen',
  attention: 'points to note',
};
