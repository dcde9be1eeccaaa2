import {
  type AccessToken,
  type CallAnswer,
  type CallKey,
  type CallMeta,
  type Calls,
  type CaseDocument,
  disputeStatuses,
  documentGroups,
  type HistoryEntry,
  historyCategories,
  type Milestone,
  matterTypes,
  milestoneActors,
  milestoneStatuses,
  type PasswordLink,
  type Payment,
  type PaymentIntent,
  type PaymentLine,
  paymentKinds,
  paymentProviders,
  paymentStatuses,
} from '@keyturn/contract';
import { isCaseSearch, isClient } from './case-checks.ts';
import {
  type Check,
  isArrayOf,
  isBoolean,
  isDay,
  isInstant,
  isInteger,
  isNullOr,
  isNumber,
  isObjectOf,
  isOneOf,
  isString,
} from './check.ts';
import { identity, isMaintenance } from './entity-checks.ts';

/*
 * What every call must answer before a screen may trust it. It is loaded beside the first request, so that the first
 * view comes without it; what is needed earlier stands in entity-checks.ts.
 */

/** What a call gives after unwrapping; nothing for a call that answers 204, and a Blob for one that answers a file. */
export type Answer<K extends CallKey> = Calls[K] extends { file: readonly string[] }
  ? Blob
  : [CallAnswer<K>] extends [never]
    ? undefined
    : CallAnswer<K>;

/** A file is not read as JSON; its kind is checked by its headers. */
const isFile: Check<Blob> = (value): value is Blob => value instanceof Blob;

const isNothing: Check<undefined> = (value): value is undefined => value === undefined;

const isMilestone = isObjectOf<Milestone>({
  ...identity,
  matter_id: isString,
  key: isString,
  title: isString,
  explanation: isString,
  stage: isObjectOf<Milestone['stage']>({ title: isString, position: isInteger, key_moment: isBoolean }),
  actor: isOneOf(milestoneActors),
  waiting_for: isNullOr(isString),
  status: isOneOf(milestoneStatuses),
  reached_on: isNullOr(isDay),
  expected_from: isNullOr(isDay),
  expected_to: isNullOr(isDay),
  waiting_since: isNullOr(isDay),
  usual_working_days: isNullOr(isObjectOf<{ from: number; to: number }>({ from: isInteger, to: isInteger })),
  next_update_by: isNullOr(isDay),
  position: isInteger,
});

const isHistoryEntry = isObjectOf<HistoryEntry>({
  ...identity,
  occurred_at: isInstant,
  category: isOneOf(historyCategories),
  actor: isString,
  summary: isString,
  link: isNullOr(isString),
});

const isPaymentLine = isObjectOf<PaymentLine>({
  text: isString,
  net: isInteger,
  vat_rate: isNumber,
  vat: isInteger,
  gross: isInteger,
  client_money: isBoolean,
});

const isPayment = isObjectOf<Payment>({
  ...identity,
  kind: isOneOf(paymentKinds),
  status: isOneOf(paymentStatuses),
  amount: isInteger,
  currency: isOneOf(['gbp']),
  description: isString,
  category: isString,
  reference: isNullOr(isString),
  matter_id: isNullOr(isString),
  case_search_id: isNullOr(isString),
  paid_at: isNullOr(isInstant),
  receipt_number: isNullOr(isString),
  lines: isArrayOf(isPaymentLine),
  payer: isObjectOf<Payment['payer']>({ own_card: isNullOr(isBoolean), name: isNullOr(isString) }),
  card: isNullOr(isObjectOf<{ brand: string; last4: string }>({ brand: isString, last4: isString })),
  failure: isNullOr(isObjectOf<{ code: string; message: string }>({ code: isString, message: isString })),
  refunded_amount: isInteger,
  receipt_mail: isNullOr(
    isObjectOf<NonNullable<Payment['receipt_mail']>>({ to: isString, sent_at: isNullOr(isInstant) }),
  ),
  dispute: isNullOr(
    isObjectOf<NonNullable<Payment['dispute']>>({
      status: isOneOf(disputeStatuses),
      amount: isInteger,
      opened_at: isInstant,
    }),
  ),
  under_review: isBoolean,
  provider: isOneOf(paymentProviders),
});

const isPaymentIntent = isObjectOf<PaymentIntent>({
  payment_id: isString,
  provider: isOneOf(paymentProviders),
  publishable_key: isString,
  client_secret: isString,
  amount: isInteger,
  currency: isOneOf(['gbp']),
  status: isOneOf(paymentStatuses),
});

const isCaseDocument = isObjectOf<CaseDocument>({
  ...identity,
  matter_id: isString,
  matter_type: isOneOf(matterTypes),
  group: isOneOf(documentGroups),
  title: isString,
  file_name: isString,
  media_type: isString,
  size: isInteger,
  pages: isNullOr(isInteger),
  sha256: isString,
  uploaded_by: isString,
  shared_at: isInstant,
  read_at: isNullOr(isInstant),
  supersedes: isNullOr(isString),
  superseded_by: isNullOr(isString),
  version: isInteger,
  signature: isNullOr(
    isObjectOf<NonNullable<CaseDocument['signature']>>({
      required: isBoolean,
      signed_at: isNullOr(isInstant),
      signed_by: isNullOr(isString),
      others: isArrayOf(
        isObjectOf<{ name: string; signed_at: string | null }>({
          name: isString,
          signed_at: isNullOr(isInstant),
        }),
      ),
    }),
  ),
});

export const answerChecks: { [K in CallKey]: Check<Answer<K>> } = {
  'POST /login': isObjectOf<AccessToken>({
    access_token: isString,
    token_type: isOneOf(['Bearer']),
    expires_in: isInteger,
  }),
  'POST /logout': isNothing,
  'POST /password/forgot': isNothing,
  'POST /password/check-link': isObjectOf<PasswordLink>({ is_open: isBoolean }),
  'POST /password/reset': isNothing,
  'GET /maintenance': isMaintenance,
  'GET /client': isClient,
  'PUT /client/active-case': isClient,
  'GET /case-searches': isArrayOf(isCaseSearch),
  'GET /case-searches/{id}': isCaseSearch,
  'POST /case-searches/{id}/payments': isPaymentIntent,
  'POST /other-payments': isPaymentIntent,
  'GET /payments': isArrayOf(isPayment),
  'GET /payments/{id}': isPayment,
  'GET /payments/{id}/receipt': isFile,
  'POST /payments/{id}/cancel': isPayment,
  'GET /payments/{id}/intent': isPaymentIntent,
  'POST /payments/{id}/confirm': isPaymentIntent,
  'POST /payments/{id}/refresh': isPayment,
  'GET /documents': isArrayOf(isCaseDocument),
  'GET /documents/{id}': isCaseDocument,
  'GET /documents/{id}/content': isFile,
  'POST /documents/{id}/read': isCaseDocument,
  'POST /documents/{id}/signature': isCaseDocument,
  'GET /milestones': isArrayOf(isMilestone),
  'GET /case-history': isObjectOf<Answer<'GET /case-history'>>({
    data: isArrayOf(isHistoryEntry),
    meta: isObjectOf<CallMeta<'GET /case-history'>>({ total: isInteger, next_cursor: isNullOr(isString) }),
  }),
};

export const answersFile = (key: CallKey): boolean => answerChecks[key] === (isFile as unknown);
