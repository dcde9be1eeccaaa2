import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import styles from './help-line.module.css';

/** The firm's telephone number and hours, for screens that are shown before or without the case. */
export function HelpLine({ firm }: { firm: { phone: string; opening_hours: string } }) {
  return (
    <p className={styles.help}>
      Need help? <PhoneLink phone={firm.phone} />
      <span>{firm.opening_hours}</span>
    </p>
  );
}
