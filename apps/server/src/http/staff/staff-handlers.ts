import type {
  StaffCallBody,
  StaffCallData,
  StaffCallKey,
  StaffCallParams,
  StaffCalls,
  StaffRole,
} from '@keyturn/contract/staff';
import type { RequestDevice, RequestSubject } from '../call-handlers.ts';
import type { Cookie } from '../cookies.ts';

/** The staff member identified by the request's cookie, and their session. */
export interface SignedInStaff {
  id: string;
  email: string;
  name: string | null;
  role: StaffRole;
  createdAt: Date;
  sessionId: string;
  /** SHA-256 of the token. */
  sessionHash: Buffer;
  expiresAt: Date;
  /** When a second factor was last presented. */
  confirmedAt: Date;
  /** Whether a second factor must be added before anything else. */
  mustAddFactor: boolean;
}

/** A parsed and validated request of the staff API, as a handler receives it. */
export interface StaffRequest<K extends StaffCallKey> {
  params: StaffCallParams<K>;
  body: StaffCallBody<K>;
  staff: StaffCalls[K]['access'] extends 'anyone' ? undefined : SignedInStaff;
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
  /** Says who the caller is, for the log, where no session identifies them. */
  about(subject: RequestSubject): void;
}

type StaffHandler<K extends StaffCallKey> = (request: StaffRequest<K>) => Promise<StaffCallData<K>>;

/** Handlers of the calls of the staff API. */
export type StaffHandlers<K extends StaffCallKey = StaffCallKey> = { [Key in K]: StaffHandler<Key> };
