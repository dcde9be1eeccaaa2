import type { DeskCase } from '@keyturn/contract/staff';
import { useEffect, useRef, useState } from 'react';
import { SelectField } from '../../../ui/forms/fields.tsx';
import styles from '../case.module.css';
import { refetchMessage } from './preview-messages.ts';

/** The case as one of its clients sees it, in a separate page. It refetches whenever the case has changed. */
export function ClientPreview({ deskCase }: { deskCase: DeskCase }) {
  const { id: caseId, clients } = deskCase;
  const frame = useRef<HTMLIFrameElement>(null);
  const [chosen, setChosen] = useState<string>();
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  // The query keeps the same object until something has changed.
  const shown = useRef(deskCase);
  useEffect(() => {
    if (shown.current === deskCase) return;
    shown.current = deskCase;
    frame.current?.contentWindow?.postMessage(refetchMessage, location.origin);
  }, [deskCase]);
  if (!client) return null;
  const name = `${client.first_name} ${client.last_name}`;
  return (
    <div className={styles.preview}>
      <div className={styles.previewHead}>
        {clients.length > 1 ? (
          <SelectField
            label="Seen by"
            isInline
            value={client.id}
            options={clients.map(({ id, first_name, last_name }) => ({
              value: id,
              name: `${first_name} ${last_name}`,
            }))}
            onChoose={setChosen}
          />
        ) : (
          <p>Seen by {name}</p>
        )}
        <span className={styles.soft}>Preview, read only</span>
      </div>
      <iframe
        // Another client’s view is another page.
        key={client.id}
        ref={frame}
        className={styles.frame}
        title={`The case as ${name} sees it`}
        src={`/desk/preview#${caseId}/${client.id}`}
      />
    </div>
  );
}
