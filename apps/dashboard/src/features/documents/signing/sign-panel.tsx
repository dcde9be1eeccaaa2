import { type CaseDocument, signatureConsent } from '@keyturn/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { useSignDocument } from '../../../api/queries/use-document-actions.ts';
import { Alert } from '../../../ui/base/alert.tsx';
import { Button } from '../../../ui/base/button.tsx';
import { Checkbox, Field } from '../../../ui/base/field.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { listNames, signWords } from '../document-labels.ts';
import { DrawnSignature } from './drawn-signature.tsx';
import { LeaveWarning } from './leave-warning.tsx';
import { signatureDrawing } from './signature-drawing.ts';
import type { Drawn } from './signature-pad.ts';
import styles from './signing.module.css';
import { missingFaults, type SignFaults, signFaultsOf } from './signing-errors.ts';

/** Signing: the full name, a drawing if one likes, and the client's word that they mean it. */
export function SignPanel({ document, sha256 }: { document: CaseDocument; sha256: string }) {
  const { title, id, signature } = document;
  const client = useClient().data;
  const queries = useQueryClient();
  const sign = useSignDocument(id);
  const name = useRef<HTMLInputElement>(null);
  const consent = useRef<HTMLInputElement>(null);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [faults, setFaults] = useState<SignFaults>({});
  const underWay = useRef(false);
  // Known to be there, and kept nowhere.
  const isDrawn = drawn !== null && !sign.isSuccess;
  useDraft('signature', isDrawn ? undefined : null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (underWay.current) return;
    const given = { name: name.current?.value.trim() ?? '', consent: consent.current?.checked ?? false };
    const missing = missingFaults(given, client);
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    underWay.current = true;
    try {
      const drawing = drawn ? signatureDrawing(drawn.lines, drawn.pad) : undefined;
      await sign.mutateAsync({ name: given.name, consent: true, sha256, ...(drawing ? { drawing } : {}) });
    } catch (error) {
      setFaults(signFaultsOf(error));
    } finally {
      underWay.current = false;
    }
  };

  const others = (signature?.others ?? []).filter(({ signed_at }) => signed_at === null);
  return (
    <div id="signing" className={styles.signing} data-never-recorded>
      <Panel look="wash" title="Sign this document">
        <p className={styles.lead}>
          Your typed name is your signature, and binds you like one on paper. If something is not clear to
          you, call us before you sign.
          {others.length > 0 && ` ${listNames(others.map((other) => other.name))} signs separately.`}
        </p>
        <form onSubmit={submit} noValidate>
          <ErrorSummary faults={summaryOf(faults)} title="You have not signed yet" />
          {faults.form && (
            <Alert
              tone="danger"
              takesFocus
              title={faults.form.title}
              className={styles.refusal}
              action={
                faults.form.isOutOfDate && (
                  <Button
                    look="quiet"
                    size="small"
                    onClick={() => void queries.invalidateQueries({ queryKey: queryKeys.document(id) })}
                  >
                    Show it as it is now
                  </Button>
                )
              }
            >
              <p>{faults.form.text}</p>
            </Alert>
          )}
          <Field
            ref={name}
            id="signature-name"
            label="Your full name"
            hint={client ? `As it stands in the document, for example ${fullName(client)}.` : undefined}
            name="name"
            autoComplete="name"
            autoCapitalize="words"
            spellCheck={false}
            maxLength={200}
            required
            error={faults.name}
          />
          <DrawnSignature onChange={setDrawn} error={faults.drawing} />
          <Checkbox
            ref={consent}
            id="signature-consent"
            className={styles.consent}
            label={signatureConsent}
            required
            error={faults.consent}
          />
          <Button
            type="submit"
            size="full"
            busy={sign.isPending}
            busyText="Signing…"
            className={styles.submit}
          >
            {signWords(title)}
          </Button>
          <p className={styles.kept}>
            We keep your name, the time, the internet address you sign from and a fingerprint of the document,
            so that your signature can be proved later.
          </p>
        </form>
      </Panel>
      <LeaveWarning isNeeded={isDrawn} />
    </div>
  );
}

const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }) =>
  `${first_name} ${last_name}`;

function summaryOf({ name, consent, drawing }: SignFaults) {
  return [
    ...(name ? [{ field: 'signature-name', message: name }] : []),
    ...(drawing ? [{ field: 'signature-clear', message: drawing }] : []),
    ...(consent ? [{ field: 'signature-consent', message: consent }] : []),
  ];
}
