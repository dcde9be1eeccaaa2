import type { MatterType } from '@keyturn/contract';
import type { PathPreview } from '@keyturn/contract/staff';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callStaff } from '../../api/desk-api.ts';
import { Button } from '../../ui/base/button.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import styles from './firm-data.module.css';
import { countMatters, describeKept, describePathChanges } from './path-preview.ts';

/** Shows the number of running matters with an earlier path, and gives them the current one. */
export function RunningMatters({ matterType, version }: { matterType: MatterType; version: number }) {
  const queries = useQueryClient();
  const queryKey = ['path-preview', matterType, version];
  const params = { matter_type: matterType };
  const { data: preview } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      callStaff('GET /staff/milestone-paths/{matter_type}/matters', { params, signal, timeout: 60_000 }),
  });
  const [isAsking, setAsking] = useState(false);
  const [left, setLeft] = useState<number | null>(null);
  if (!preview || preview.changing + preview.keeping === 0) return null;
  const apply = async () => {
    try {
      for (let remaining = preview.changing; remaining > 0; ) {
        setLeft(remaining);
        const answer = await callStaff('POST /staff/milestone-paths/{matter_type}/matters', {
          params,
          body: { version: preview.version },
          timeout: 60_000,
        });
        remaining = answer.left;
      }
      showToast(`The current path is applied to ${countMatters(preview.changing)}.`);
    } finally {
      setLeft(null);
      await queries.invalidateQueries({ queryKey });
    }
  };
  return (
    <>
      <Alert
        tone="information"
        className={styles.notice}
        title={`${countMatters(preview.changing + preview.keeping)} still ${
          preview.changing + preview.keeping === 1 ? 'has' : 'have'
        } an earlier path`}
        action={preview.changing > 0 && <Button onClick={() => setAsking(true)}>Review and apply</Button>}
      >
        {preview.keeping > 0 && <p>{describeKept(preview)}</p>}
      </Alert>
      {isAsking && (
        <FormDialog
          open
          onClose={() => setAsking(false)}
          title={`Change the path of ${countMatters(preview.changing)}?`}
          action="Apply to running matters"
          busyText={left === null ? 'Applying…' : `${left} left…`}
          onSubmit={apply}
        >
          <Changes preview={preview} />
        </FormDialog>
      )}
    </>
  );
}

function Changes({ preview }: { preview: PathPreview }) {
  return (
    <>
      <p>
        Clients see the change at once. Completed steps, waiting parties and promised dates stay the same.
      </p>
      {describePathChanges(preview).map(({ heading, steps }) => (
        <section key={heading} className={styles.changes}>
          <h3>{heading}</h3>
          <ul>
            {steps.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </section>
      ))}
      {preview.keeping > 0 && <p>{describeKept(preview)}</p>}
      <p>This can’t be undone. You can change the path again and apply the new version.</p>
    </>
  );
}
