import { formatPhone, telephoneHref } from '@keyturn/format/phone-number';
import styles from './phone-link.module.css';

/** A stored telephone number as a link that does not wrap, and dials what it shows. What is not one number is text. */
export function PhoneLink({ phone }: { phone: string }) {
  const href = telephoneHref(phone);
  if (href === null) return phone;
  return (
    <a className={styles.phone} href={href}>
      {formatPhone(phone)}
    </a>
  );
}
