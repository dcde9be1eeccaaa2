import { formatPastDay } from '@keyturn/format/dates';
import { formatDay } from '@keyturn/format/london-time';
import { ButtonLink } from '@keyturn/ui/base/button.tsx';
import { mailtoUrlWithText } from '@keyturn/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { Unbroken } from '../content/unbroken.tsx';
import styles from './overdue-note.module.css';

export interface OverdueNoteProps {
  /** What was promised by which day, `YYYY-MM-DD`. */
  updates: { title: string; promisedBy: string }[];
  today: string;
  contact: { email: string | null; phone: string };
  subject: string;
  /** The text of the email that asks for the updates. @param inWords formats a day */
  text(inWords: (day: string) => string): string;
  /** Whether the note is next to several steps, so that it has to name them. */
  namesSteps?: boolean;
}

/** Says that promised updates are overdue, and how to ask for them. */
export function OverdueNote({
  updates,
  today,
  contact,
  subject,
  text,
  namesSteps = false,
}: OverdueNoteProps) {
  const { email, phone } = contact;
  return (
    <div className={styles.overdue}>
      {updates.map(({ title, promisedBy }, index) => (
        <p key={title}>
          We promised an update{namesSteps && ` on “${title}”`} by{' '}
          <Unbroken>{formatPastDay(promisedBy, today)}</Unbroken>.
          {index === updates.length - 1 && ' We’re sorry.'}
        </p>
      ))}
      <p className={styles.ask}>
        {email && (
          <ButtonLink
            look="quiet"
            size="small"
            href={mailtoUrlWithText(email, { subject, text: text(formatDay) })}
          >
            Ask for an update
          </ButtonLink>
        )}
        <span>
          {email ? 'or call ' : 'Ask for an update: call '}
          <PhoneLink phone={phone} />
        </span>
      </p>
    </div>
  );
}
