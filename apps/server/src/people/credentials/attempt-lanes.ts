import type { AccountKind } from '../../platform/credentials/account-kind.ts';
import { hashToken } from '../../platform/credentials/hash-token.ts';
import { throttledAddress } from '../../platform/requests/throttled-address.ts';

/** Attempts that are counted together, such as those for one email from unknown devices. */
export interface Lane {
  name: LaneName;
  /** SHA-256 of the subject of the lane. */
  subject: Buffer;
  limits: LaneLimits;
  /** Whether a success deletes all failures of the lane, and not only the attempt’s own. */
  endsWithSuccess: boolean;
}

export type LaneName = 'email' | 'address' | 'device';

export interface LaneLimits {
  /** Failures in a minute. */
  perMinute: number;
  /**
   * Growing delays: from this many failures in 24 hours on, each attempt waits this many seconds after the last one.
   */
  delays: readonly { failures: number; seconds: number }[];
}

const accountLimits: LaneLimits = {
  perMinute: 5,
  delays: [
    { failures: 10, seconds: 300 },
    { failures: 20, seconds: 900 },
    { failures: 30, seconds: 3_600 },
  ],
};

/** These limits are higher, because many clients can share an address. */
const addressLimits: LaneLimits = {
  perMinute: 20,
  delays: [
    { failures: 60, seconds: 60 },
    { failures: 120, seconds: 300 },
    { failures: 240, seconds: 900 },
  ],
};

/** Failures in 24 hours from which a run of wrong passwords is reported. */
export const reportedRun = { email: 10, device: 10, address: 60 } satisfies Record<LaneName, number>;

const subjectOf = (accountKind: AccountKind, text: string) =>
  hashToken(accountKind === 'client' ? text : `${accountKind} ${text}`);

/**
 * Lanes of a sign-in with email and password. From a known device there is only one: wrong passwords from other devices do
 * not count in it. From an unknown device there are the email’s and the address’s.
 * @param from.device the token of the device; null without one
 */
export function signInLanes(
  accountKind: AccountKind,
  email: string,
  from: { address: string; device: string | null; isKnown: boolean },
): Lane[] {
  const { address, device, isKnown } = from;
  if (isKnown && device !== null) {
    const subject = subjectOf(accountKind, `device ${device} ${email}`);
    return [{ name: 'device', subject, limits: accountLimits, endsWithSuccess: true }];
  }
  const subject = subjectOf(accountKind, `email ${email}`);
  return [
    { name: 'email', subject, limits: accountLimits, endsWithSuccess: true },
    addressLane('address', address, addressLimits),
  ];
}

/**
 * Lanes of requests for password links, by email, or of their use, by token. They do not escalate: a link is the way in
 * for a client under attack.
 */
export function passwordLinkLanes(use: 'request' | 'use', subject: string, address: string): Lane[] {
  const purpose = `password link ${use}`;
  return [
    {
      name: 'email',
      subject: hashToken(`${purpose} ${subject}`),
      limits: { perMinute: 5, delays: [] },
      endsWithSuccess: false,
    },
    addressLane(`${purpose} address`, address, { perMinute: 20, delays: [] }),
  ];
}

/** The only lane of further proofs in a session, so that a stolen session cannot guess codes or the password. */
export function confirmationLane(ownerId: string, accountKind: AccountKind): Lane[] {
  const subject = hashToken(`${accountKind} confirmation ${ownerId}`);
  return [{ name: 'device', subject, limits: accountLimits, endsWithSuccess: true }];
}

/** The only lane of new passwords of an account that were refused. */
export const newPasswordLane = (ownerId: string, accountKind: AccountKind): Lane[] => [
  {
    name: 'device',
    subject: hashToken(`${accountKind} new password ${ownerId}`),
    limits: { perMinute: 10, delays: [{ failures: 60, seconds: 300 }] },
    endsWithSuccess: false,
  },
];

/**
 * The only lane of a client’s changes of one contact detail, because each one sends emails, and those about a new email
 * address go to any address.
 */
export const contactChangeLane = (detail: 'email' | 'phone', clientId: string): Lane[] => [
  {
    name: 'email',
    subject: hashToken(`${detail} change ${clientId}`),
    limits: { perMinute: 3, delays: [{ failures: 5, seconds: 3_600 }] },
    endsWithSuccess: false,
  },
];

/** Lanes of invitations of staff, because each one sends an email: those of one person, and those by one admin. */
export const staffInvitationLanes = (email: string, invitedBy: string): Lane[] => [
  {
    name: 'email',
    subject: hashToken(`staff invitation ${email.trim().toLowerCase()}`),
    limits: { perMinute: 3, delays: [{ failures: 5, seconds: 3_600 }] },
    endsWithSuccess: false,
  },
  {
    name: 'device',
    subject: hashToken(`staff invitations by ${invitedBy}`),
    limits: { perMinute: 20, delays: [{ failures: 200, seconds: 300 }] },
    endsWithSuccess: false,
  },
];

/** The only lane of links that a member has emailed to clients, for each of whom they are limited too. */
export const clientLinkLane = (sentBy: string): Lane[] => [
  {
    name: 'device',
    subject: hashToken(`client links by ${sentBy}`),
    limits: { perMinute: 20, delays: [{ failures: 200, seconds: 300 }] },
    endsWithSuccess: false,
  },
];

/** Lanes of a sign-in with a passkey, which names no email. */
export const passkeyLanes = (address: string, accountKind: AccountKind): Lane[] => [
  addressLane(`${accountKind} passkey address`, address, addressLimits),
];

const addressLane = (purpose: string, address: string, limits: LaneLimits): Lane => ({
  name: 'address',
  subject: hashToken(`${purpose} ${throttledAddress(address)}`),
  limits,
  endsWithSuccess: false,
});
