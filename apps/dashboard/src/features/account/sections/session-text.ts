import type { ClientSession } from '@keyturn/contract';
import { formatMoment } from '@keyturn/format/dates';
import { londonDay } from '@keyturn/format/london-time';

/** Says when and how a session started: “Signed in today at 9:12 am with your password”. */
export const startText = ({ created_at, signed_in_with }: ClientSession, now: Date): string =>
  `Signed in ${formatMoment(created_at, londonDay(now))} ${methods[signed_in_with]}`;

/** Says when a session was last used, as accurately as it is recorded. */
export function lastUseText({ last_used_at }: ClientSession, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(last_used_at)) / 60_000);
  if (minutes < 2) return 'Used just now';
  if (minutes < 60) return `Last used about ${minutes} minutes ago`;
  return `Last used ${formatMoment(last_used_at, londonDay(now))}`;
}

const methods: Record<ClientSession['signed_in_with'], string> = {
  password: 'with your password',
  password_and_code: 'with your password and a code',
  password_and_recovery_code: 'with your password and a recovery code',
  passkey: 'with a passkey',
};
