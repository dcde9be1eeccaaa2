import type { DeskClient } from '@keyturn/contract/staff';
import { PhoneLink } from '@keyturn/dashboard/ui/content/phone-link.tsx';
import { StatusTag } from '@keyturn/dashboard/ui/content/status-tag.tsx';
import { formatMoment } from '@keyturn/dashboard/ui/format/format-date.ts';
import { useToday } from '@keyturn/dashboard/ui/format/use-today.ts';
import styles from '../case.module.css';

type Phone = Pick<DeskClient, 'phone' | 'own_phone'>;

/** The client’s number. If the client has changed it, also the former one, or the one that the firm’s system has. */
export function ClientPhone({ client: { phone, own_phone } }: { client: Phone }) {
  const today = useToday();
  const isExplained = own_phone !== null && (own_phone.is_recent || own_phone.firm_phone !== phone);
  return (
    <>
      {phone !== null && <PhoneLink phone={phone} />}
      {isExplained && (
        <>
          {own_phone.is_recent && <RecentPhoneTag client={{ phone, own_phone }} />}
          <p className={styles.soft}>
            {verbOf(phone, own_phone)} in the client’s account {formatMoment(own_phone.changed_at, today)}.{' '}
            {own_phone.is_recent ? (
              <RecentChange phone={phone} former={own_phone.former_phone} />
            ) : (
              `Your system has ${own_phone.firm_phone ?? 'no number'}.`
            )}
          </p>
        </>
      )}
    </>
  );
}

/** Says which numbers must not be used to check who someone is: a thief may have changed them. */
function RecentChange({ phone, former }: { phone: string | null; former: string | null }) {
  return (
    <>
      {former !== null && (
        <>
          The number before was <PhoneLink phone={former} />.{' '}
        </>
      )}
      {phone !== null &&
        'A number that was added or changed less than seven days ago is not a number on file: don’t use it to check who someone is.'}
      {former === null && ' See them with photo identification, in person or on a video call.'}
    </>
  );
}

/** Marks a number that the client changed less than seven days ago. */
export const RecentPhoneTag = ({ client: { phone, own_phone } }: { client: Phone }) =>
  own_phone?.is_recent && (
    <StatusTag tone="held">
      Number {verbOf(phone, own_phone).toLowerCase()} less than seven days ago
    </StatusTag>
  );

function verbOf(phone: string | null, { former_phone }: NonNullable<Phone['own_phone']>): string {
  if (phone === null) return 'Removed';
  return former_phone === null ? 'Added' : 'Changed';
}

/** Names the number with which a call back checks who the client is. */
export function callBackHint({ phone, own_phone }: Phone): string {
  if (!own_phone?.is_recent)
    return 'On the number that we had on file before they asked, with questions only they can answer.';
  const isNew = `${phone} is less than seven days old, and is not a number on file.`;
  if (own_phone.former_phone === null) return `There is no number to call: ${isNew}`;
  return `On ${own_phone.former_phone}, with questions only they can answer.${phone === null ? '' : ` ${isNew}`}`;
}
