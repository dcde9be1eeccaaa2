import { PageHeading } from '@keyturn/ui/base/page-heading.tsx';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { useServices } from '../../api/services/services.ts';
import styles from './no-case-yet.module.css';

/** For a client whose case the firm has not imported yet. */
export function NoCaseYet({ firstName }: { firstName: string }) {
  const { firm } = useServices().config;
  return (
    <div className={styles.page}>
      <PageHeading>Welcome, {firstName}</PageHeading>
      <p>
        Your case isn’t here yet. Once we’ve opened it, this page will show its progress, what happens next
        and what we need from you.
      </p>
      {firm && (
        <p>
          Expected to see it already? Call us on <PhoneLink phone={firm.phone} />.
        </p>
      )}
    </div>
  );
}
