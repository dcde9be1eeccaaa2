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
  isDay,
  isFlag,
  isInstant,
  isInteger,
  isListOf,
  isNullOr,
  isNumber,
  isOneOf,
  isRecordOf,
  isText,
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

const isMilestone = isRecordOf<Milestone>({
  ...identity,
  matter_id: isText,
  key: isText,
  title: isText,
  explanation: isText,
  stage: isRecordOf<Milestone['stage']>({ title: isText, position: isInteger, key_moment: isFlag }),
  actor: isOneOf(milestoneActors),
  waiting_for: isNullOr(isText),
  status: isOneOf(milestoneStatuses),
  reached_on: isNullOr(isDay),
  expected_from: isNullOr(isDay),
  expected_to: isNullOr(isDay),
  waiting_since: isNullOr(isDay),
  usual_working_days: isNullOr(isRecordOf<{ from: number; to: number }>({ from: isInteger, to: isInteger })),
  next_update_by: isNullOr(isDay),
  position: isInteger,
});

const isHistoryEntry = isRecordOf<HistoryEntry>({
  ...identity,
  occurred_at: isInstant,
  category: isOneOf(historyCategories),
  actor: isText,
  summary: isText,
  link: isNullOr(isText),
});

const isPaymentLine = isRecordOf<PaymentLine>({
  text: isText,
  net: isInteger,
  vat_rate: isNumber,
  vat: isInteger,
  gross: isInteger,
  client_money: isFlag,
});

const isPayment = isRecordOf<Payment>({
  ...identity,
  kind: isOneOf(paymentKinds),
  status: isOneOf(paymentStatuses),
  amount: isInteger,
  currency: isOneOf(['gbp']),
  description: isText,
  category: isText,
  reference: isNullOr(isText),
  matter_id: isNullOr(isText),
  case_search_id: isNullOr(isText),
  paid_at: isNullOr(isInstant),
  receipt_number: isNullOr(isText),
  lines: isListOf(isPaymentLine),
  payer: isRecordOf<Payment['payer']>({ own_card: isNullOr(isFlag), name: isNullOr(isText) }),
  card: isNullOr(isRecordOf<{ brand: string; last4: string }>({ brand: isText, last4: isText })),
  failure: isNullOr(isRecordOf<{ code: string; message: string }>({ code: isText, message: isText })),
  refunded_amount: isInteger,
  receipt_mail: isNullOr(
    isRecordOf<NonNullable<Payment['receipt_mail']>>({ to: isText, sent_at: isNullOr(isInstant) }),
  ),
  dispute: isNullOr(
    isRecordOf<NonNullable<Payment['dispute']>>({
      status: isOneOf(disputeStatuses),
      amount: isInteger,
      opened_at: isInstant,
    }),
  ),
  under_review: isFlag,
  provider: isOneOf(paymentProviders),
});

const isPaymentIntent = isRecordOf<PaymentIntent>({
  payment_id: isText,
  provider: isOneOf(paymentProviders),
  publishable_key: isText,
  client_secret: isText,
  amount: isInteger,
  currency: isOneOf(['gbp']),
  status: isOneOf(paymentStatuses),
});

const isCaseDocument = isRecordOf<CaseDocument>({
  ...identity,
  matter_id: isText,
  matter_type: isOneOf(matterTypes),
  group: isOneOf(documentGroups),
  title: isText,
  file_name: isText,
  media_type: isText,
  size: isInteger,
  pages: isNullOr(isInteger),
  sha256: isText,
  uploaded_by: isText,
  shared_at: isInstant,
  read_at: isNullOr(isInstant),
  supersedes: isNullOr(isText),
  superseded_by: isNullOr(isText),
  version: isInteger,
  signature: isNullOr(
    isRecordOf<NonNullable<CaseDocument['signature']>>({
      required: isFlag,
      signed_at: isNullOr(isInstant),
      signed_by: isNullOr(isText),
      others: isListOf(
        isRecordOf<{ name: string; signed_at: string | null }>({
          name: isText,
          signed_at: isNullOr(isInstant),
        }),
      ),
    }),
  ),
});

export const answerChecks: { [K in CallKey]: Check<Answer<K>> } = {
  'POST /login': isRecordOf<AccessToken>({
    access_token: isText,
    token_type: isOneOf(['Bearer']),
    expires_in: isInteger,
  }),
  'POST /logout': isNothing,
  'POST /password/forgot': isNothing,
  'POST /password/check-link': isRecordOf<PasswordLink>({ is_open: isFlag }),
  'POST /password/reset': isNothing,
  'GET /maintenance': isMaintenance,
  'GET /client': isClient,
  'PUT /client/active-case': isClient,
  'GET /case-searches': isListOf(isCaseSearch),
  'GET /case-searches/{id}': isCaseSearch,
  'POST /case-searches/{id}/payments': isPaymentIntent,
  'POST /other-payments': isPaymentIntent,
  'GET /payments': isListOf(isPayment),
  'GET /payments/{id}': isPayment,
  'GET /payments/{id}/receipt': isFile,
  'POST /payments/{id}/cancel': isPayment,
  'GET /payments/{id}/intent': isPaymentIntent,
  'POST /payments/{id}/confirm': isPaymentIntent,
  'POST /payments/{id}/refresh': isPayment,
  'GET /documents': isListOf(isCaseDocument),
  'GET /documents/{id}': isCaseDocument,
  'GET /documents/{id}/content': isFile,
  'POST /documents/{id}/read': isCaseDocument,
  'POST /documents/{id}/signature': isCaseDocument,
  'GET /milestones': isListOf(isMilestone),
  'GET /case-history': isRecordOf<Answer<'GET /case-history'>>({
    data: isListOf(isHistoryEntry),
    meta: isRecordOf<CallMeta<'GET /case-history'>>({ total: isInteger, next_cursor: isNullOr(isText) }),
  }),
};

export const answersFile = (key: CallKey): boolean => answerChecks[key] === (isFile as unknown);
