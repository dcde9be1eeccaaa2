import { messageOf } from '@keyturn/browser/calls/api-error.ts';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useId, useRef } from 'react';
import { useClient } from '../../../api/queries/use-client.ts';
import { useSwitchCase } from '../../../api/queries/use-switch-case.ts';
import { useNavigate } from '../../../navigation/navigation.tsx';
import styles from './case-switch.module.css';

/** Lets a client with several cases switch between them. */
export function CaseSwitch() {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const client = useClient().data;
  const { mutate, isPending, error, variables } = useSwitchCase();
  if (!client || client.cases.length < 2) return null;

  const openCase = (caseId: string) =>
    mutate(caseId, {
      onSuccess: () => {
        list.current?.hidePopover();
        void navigate('/').then(() => document.querySelector<HTMLElement>('main h1')?.focus());
      },
    });

  return (
    <>
      <Button look="plain" className={styles.button} popoverTarget={id}>
        Switch case
      </Button>
      <div className={styles.list} id={id} ref={list} popover="auto">
        {error && (
          <p className={styles.error} role="alert">
            We couldn’t open that case. {messageOf(error)}
          </p>
        )}
        <ul aria-label="Your cases">
          {client.cases.map(({ id: caseId, reference, title }) => {
            const isActive = caseId === client.active_case?.id;
            return (
              <li key={caseId}>
                <button
                  type="button"
                  className={styles.choice}
                  aria-current={isActive || undefined}
                  aria-disabled={isPending || undefined}
                  onClick={() => {
                    if (isActive) list.current?.hidePopover();
                    else if (!isPending) openCase(caseId);
                  }}
                >
                  <span>{title}</span>
                  <small>
                    {reference}
                    {isActive && ', open now'}
                    {isPending && variables === caseId && ', opening…'}
                  </small>
                </button>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
