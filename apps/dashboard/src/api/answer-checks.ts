import type { AccessToken, CallAnswer, CallKey, CallMeta, Calls } from '@keyturn/contract';
import { type Check, isInteger, isListOf, isNullOr, isOneOf, isRecordOf, isText } from './check.ts';
import {
  isCaseDocument,
  isCaseSearch,
  isClient,
  isHistoryEntry,
  isMaintenance,
  isMilestone,
  isPayment,
  isPaymentIntent,
} from './entity-checks.ts';

/** What a call gives after unwrapping; nothing for a call that answers 204, and a Blob for one that answers a file. */
export type Answer<K extends CallKey> = Calls[K] extends { file: readonly string[] }
  ? Blob
  : [CallAnswer<K>] extends [never]
    ? undefined
    : CallAnswer<K>;

/** A file is not read as JSON; its kind is checked by its headers. */
const isFile: Check<Blob> = (value): value is Blob => value instanceof Blob;

const isNothing: Check<undefined> = (value): value is undefined => value === undefined;

export const answerChecks: { [K in CallKey]: Check<Answer<K>> } = {
  'POST /login': isRecordOf<AccessToken>({
    access_token: isText,
    token_type: isOneOf(['Bearer']),
    expires_in: isInteger,
  }),
  'POST /logout': isNothing,
  'POST /password/forgot': isNothing,
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
