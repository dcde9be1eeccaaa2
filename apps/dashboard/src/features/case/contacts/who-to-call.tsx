import type { ConveyancingCase } from '@keyturn/contract';
import { mailtoUrl } from '@keyturn/ui/content/mail-address.ts';
import { PhoneLink } from '@keyturn/ui/content/phone-link.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { firstName } from './first-name.ts';
import styles from './who-to-call.module.css';

/** The contact details of the case handler, or of the firm when the case has no handler. */
export function WhoToCall({ conveyancingCase: { handlers, firm } }: { conveyancingCase: ConveyancingCase }) {
  const handler = handlers[0];
  return (
    <Panel small title="Who to call">
      <p>
        <strong>{handler?.name ?? firm.name}</strong>
        {handler && <span className={styles.role}>{handler.role}</span>}
      </p>
      <p className={styles.contacts}>
        <PhoneLink phone={handler?.phone ?? firm.phone} />
        {handler?.email && <a href={mailtoUrl(handler.email)}>Write to {firstName(handler.name)}</a>}
      </p>
      <p className={styles.hours}>{firm.opening_hours}</p>
    </Panel>
  );
}
