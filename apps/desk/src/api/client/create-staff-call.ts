import {
  createRequest,
  type MakeCall,
  type RequestInput,
  type RequestOptions,
} from '@keyturn/browser/calls/create-request.ts';
import { sendFile } from '@keyturn/browser/calls/send-file.ts';
import { bankAccountHeader, type StaffCalls } from '@keyturn/contract/staff';
import { codeOf } from './staff-error.ts';

/** Makes one call of the staff API. Reads are in the background by default. */
export type CallStaff = MakeCall<StaffCalls>;

export interface StaffCallOptions extends Omit<RequestOptions, 'baseUrl' | 'loadAnswers'> {
  /** The token of the session for requests that change something; null without a session. */
  csrfToken(): string | null;
  /** Called after each successful call. */
  onAccepted?(): void;
  /** Called when the server no longer accepts the session. */
  onSignedOut(): void;
  /** Called when the session may only add a second factor. */
  onFactorRequired?(): void;
  /** Asks the member to confirm who they are. Resolves to false if they cancel. */
  confirmIdentity(): Promise<boolean>;
  /** Asks whether what the member wrote has bank details. Resolves to true if it has none. */
  isNoBankAccount(): Promise<boolean>;
}

/** Creates the function that makes all calls of the staff API. */
export function createStaffCall(options: StaffCallOptions): CallStaff {
  const loadAnswers = () => import('../checks/staff-checks.ts');
  const request = createRequest({ baseUrl: '/api', loadAnswers, sendFile, ...options });
  const send = (key: string, input: RequestInput, answers: Record<string, string> = {}) => {
    const isRead = key.startsWith('GET ');
    const csrfToken = isRead ? null : options.csrfToken();
    const headers = { ...answers, ...(csrfToken === null ? {} : { 'X-CSRF-Token': csrfToken }) };
    return request(key, { background: isRead, ...input, headers });
  };
  const call = async (
    key: string,
    input: RequestInput = {},
    answers: Record<string, string> = {},
  ): Promise<unknown> => {
    try {
      const answer = await send(key, input, answers);
      options.onAccepted?.();
      return answer;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'unauthenticated') options.onSignedOut();
      if (code === 'factor_required') options.onFactorRequired?.();
      if (code === 'identity_not_confirmed' && (await options.confirmIdentity()))
        return send(key, input, answers);
      if (code === 'possible_bank_account' && (await options.isNoBankAccount()))
        return call(key, input, { [bankAccountHeader]: 'no' });
      throw error;
    }
  };
  return call as CallStaff;
}
