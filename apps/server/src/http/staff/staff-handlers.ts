import type {
  StaffCallAnswer,
  StaffCallBody,
  StaffCallKey,
  StaffCallParams,
  StaffCallQuery,
  StaffCalls,
} from '@keyturn/contract/staff';
import type { SignedInStaff } from '../../platform/credentials/signed-in-staff.ts';
import type { FileAnswer, RequestDevice, RequestSubject } from '../call-handlers.ts';
import type { Cookie } from '../cookies.ts';

/** A parsed and validated request of the staff API, as a handler receives it. */
export interface StaffRequest<K extends StaffCallKey> {
  params: StaffCallParams<K>;
  query: StaffCallQuery<K>;
  body: StaffCallBody<K>;
  /** The uploaded content. */
  file: StaffCalls[K] extends { upload: object } ? Buffer : undefined;
  staff: StaffCalls[K]['access'] extends 'desk' ? undefined : SignedInStaff;
  /** The caller's IP address, as reported by the trusted proxies. */
  address: string;
  userAgent: string | null;
  device: RequestDevice;
  /** The cookie with the token of the session. */
  session: Cookie;
  /** The cookie that binds a sign-in with a passkey to the browser that started it. */
  challenge: Cookie;
  /** The origin of the desk, such as `https://clients.example.com`. */
  origin: string;
  /** Names the caller for the log, if no session identifies them. */
  about(subject: RequestSubject): void;
}

type StaffHandler<K extends StaffCallKey> = (
  request: StaffRequest<K>,
) => Promise<StaffCalls[K] extends { file: readonly string[] } ? FileAnswer : StaffCallAnswer<K>>;

/** Handlers of the calls of the staff API. */
export type StaffHandlers<K extends StaffCallKey = StaffCallKey> = { [Key in K]: StaffHandler<Key> };
