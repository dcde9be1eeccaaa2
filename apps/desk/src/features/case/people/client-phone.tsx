import type { DeskClient } from '@keyturn/contract/staff';
import { formatMoment } from '@keyturn/format/dates';
import { formatPhone } from '@keyturn/format/phone-number';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { StatusTag } from '@keyturn/ui/content/status-tag.tsx';
import { useToday } from '@keyturn/ui/hooks/use-today.ts';
import styles from '../case.module.css';

type Phone = Pick<DeskClient, 'phone' | 'own_phone'>;
type OwnPhone = NonNullable<Phone['own_phone']>;

/** The client’s number. If the client has changed it, says since when, or which number the firm’s system has. */
export function ClientPhone({ client }: { client: Phone }) {
  const { phone, own_phone } = client;
  const today = useToday();
  return (
    <div>
      {phone !== null && <PhoneLink phone={phone} />}
      <RecentPhoneTag client={client} />
      {own_phone && !own_phone.is_recent && own_phone.firm_phone !== phone && (
        <p className={styles.soft}>
          {verbOf(phone, own_phone)} in the client’s account {formatMoment(own_phone.changed_at, today)}. Your
          system has {own_phone.firm_phone === null ? 'no number' : formatPhone(own_phone.firm_phone)}.
        </p>
      )}
    </div>
  );
}

/** Marks a number that the client changed less than seven days ago. */
export const RecentPhoneTag = ({ client: { phone, own_phone } }: { client: Phone }) =>
  own_phone?.is_recent && (
    <StatusTag tone="held">
      Number {verbOf(phone, own_phone).toLowerCase()} less than seven days ago
    </StatusTag>
  );

/** Tells staff not to check who a client is with a number that the client has just changed: a thief may have done it. */
export function RecentPhoneNotices({ clients }: { clients: readonly DeskClient[] }) {
  const today = useToday();
  return clients.map(
    ({ id, first_name, last_name, phone, own_phone }) =>
      own_phone?.is_recent && (
        <Alert
          key={id}
          tone="attention"
          title={`${first_name} ${last_name}’s phone number was ${verbOf(phone, own_phone).toLowerCase()} in their account ${formatMoment(own_phone.changed_at, today)}.`}
          className={styles.notice}
        >
          <RecentPhoneText phone={phone} former={own_phone.former_phone} />
        </Alert>
      ),
  );
}

function RecentPhoneText({ phone, former }: { phone: string | null; former: string | null }) {
  return (
    <p>
      {phone !== null &&
        `Don’t call the new number to check who the client is: it was ${former === null ? 'added' : 'changed'} less than seven days ago. `}
      {former === null ? (
        'There was no number before. See the client with photo identification, in person or on a video call.'
      ) : (
        <>
          The number on file is <PhoneLink phone={former} />.
        </>
      )}
    </p>
  );
}

function verbOf(phone: string | null, { former_phone }: OwnPhone): string {
  if (phone === null) return 'Removed';
  return former_phone === null ? 'Added' : 'Changed';
}

/** Names the number with which a call back checks who the client is. */
export function callBackHint({ phone, own_phone }: Phone): string {
  if (!own_phone?.is_recent)
    return 'On the number that we had on file before they asked, with questions only they can answer.';
  const warning =
    phone === null
      ? ''
      : ` Don’t use ${unbroken(phone)}: it was ${verbOf(phone, own_phone).toLowerCase()} less than seven days ago.`;
  if (own_phone.former_phone === null) return `We have no earlier number.${warning}`;
  return `On ${unbroken(own_phone.former_phone)}, with questions only they can answer.${warning}`;
}

const unbroken = (phone: string) => formatPhone(phone).replaceAll(' ', '\u00a0');
