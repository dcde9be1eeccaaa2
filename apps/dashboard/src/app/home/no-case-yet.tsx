import { useServices } from '../../api/services/services.ts';
import { telephoneHref } from '../../ui/base/format-phone.ts';
import { PageHeading } from '../../ui/base/page-heading.tsx';
import styles from './no-case-yet.module.css';

/** For a client whose case the firm has not brought in. */
export function NoCaseYet({ firstName }: { firstName: string }) {
  const { firm } = useServices().config;
  return (
    <div className={styles.page}>
      <PageHeading>Welcome, {firstName}</PageHeading>
      <p>
        Your case is not here yet. Once we have opened it, this page shows where it stands, what happens next
        and what we need from you.
      </p>
      {firm && (
        <p>
          Did you expect to see it already? Call us on <a href={telephoneHref(firm.phone)}>{firm.phone}</a>.
        </p>
      )}
    </div>
  );
}
