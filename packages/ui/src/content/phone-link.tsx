import { telephoneHref } from '@keyturn/format/phone-number';
import styles from './phone-link.module.css';

/** A telephone number as a link that does not wrap. */
export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a className={styles.phone} href={telephoneHref(phone)}>
      {phone}
    </a>
  );
}
