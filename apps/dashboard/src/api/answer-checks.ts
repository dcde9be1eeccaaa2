import type { AccessToken, CallAnswer, CallKey, CallMeta } from '@keyturn/contract';
import { type Check, isInteger, isListOf, isNullOr, isOneOf, isRecordOf, isText } from './check.ts';
import {
  isCaseSearch,
  isClient,
  isHistoryEntry,
  isMilestone,
  isPayment,
  isPaymentIntent,
} from './entity-checks.ts';

/** What a call gives after unwrapping; nothing for a call that answers 204. */
export type Answer<K extends CallKey> = [CallAnswer<K>] extends [never] ? undefined : CallAnswer<K>;

const isNothing: Check<undefined> = (value): value is undefined => value === undefined;

export const answerChecks: { [K in CallKey]: Check<Answer<K>> } = {
  'POST /login': isRecordOf<AccessToken>({
    access_token: isText,
    token_type: isOneOf(['Bearer']),
    expires_in: isInteger,
  }),
  'POST /logout': isNothing,
  'GET /client': isClient,
  'PUT /client/active-case': isClient,
  'GET /case-searches': isListOf(isCaseSearch),
  'GET /case-searches/{id}': isCaseSearch,
  'POST /case-searches/{id}/payments': isPaymentIntent,
  'GET /payments/{id}': isPayment,
  'GET /milestones': isListOf(isMilestone),
  'GET /case-history': isRecordOf<Answer<'GET /case-history'>>({
    data: isListOf(isHistoryEntry),
    meta: isRecordOf<CallMeta<'GET /case-history'>>({ total: isInteger, next_cursor: isNullOr(isText) }),
  }),
};
