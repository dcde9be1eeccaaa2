import type { CaseDocument, ClientName } from '@keyturn/contract';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Button } from '@keyturn/ui/base/button.tsx';
import { Checkbox, Field } from '@keyturn/ui/base/field.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../../api/queries/query-keys.ts';
import { useClient } from '../../../api/queries/use-client.ts';
import { Link } from '../../../navigation/link.tsx';
import { Panel } from '../../../ui/content/panel.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { signButtonLabel } from '../document-labels.ts';
import { DrawnSignature } from './drawn-signature.tsx';
import styles from './signing.module.css';
import type { SigningErrors, SigningFailure } from './signing-errors.ts';
import { signingNotice } from './signing-notice.ts';
import { UnsavedDrawingWarning } from './unsaved-drawing-warning.tsx';
import { useSignatureForm } from './use-signature-form.ts';

/** The form for signing a document: full name, an optional drawing, and consent. */
export function SignPanel({
  document,
  file,
  sha256,
}: {
  document: CaseDocument;
  /** The file on the screen. */
  file: Blob;
  /** SHA-256 of the original, as its record says. */
  sha256: string;
}) {
  const { title, id } = document;
  const consent = document.signature?.consent ?? '';
  const client = useClient().data;
  const form = useSignatureForm({ documentId: id, file, sha256, consent, signer: client });
  const { errors } = form;
  return (
    <div id="signing" className={styles.signing} data-never-recorded>
      <Panel look="wash" title="Sign this document">
        <p className={styles.lead}>{signingNotice(document)}</p>
        <form onSubmit={form.submit} noValidate>
          <ErrorSummary faults={fieldErrors(errors)} title="You haven’t signed yet" />
          {errors.form && <FailureAlert failure={errors.form} documentId={id} />}
          <Field
            ref={form.name}
            id="signature-name"
            label="Your full name"
            hint={client ? `As it appears in the document, for example ${fullName(client)}.` : undefined}
            name="name"
            defaultValue={form.typedName}
            onInput={({ currentTarget }) => form.setTypedName(currentTarget.value)}
            autoComplete="name"
            autoCapitalize="words"
            spellCheck={false}
            maxLength={200}
            required
            error={errors.name}
          />
          <DrawnSignature onChange={form.setDrawing} error={errors.drawing} />
          <Checkbox
            ref={form.consentBox}
            id="signature-consent"
            className={styles.consent}
            label={consent}
            required
            error={errors.consent}
          />
          <Button
            type="submit"
            size="full"
            busy={form.isPending}
            busyText="Signing…"
            className={styles.submit}
          >
            {signButtonLabel(title)}
          </Button>
          {document.signature?.needs_confirmation && (
            <p className={styles.recordNotice}>
              When you sign, we’ll ask you to confirm that it’s you: with a passkey or an app’s code, or with
              your password if you’ve set up neither. You can{' '}
              <Link to="/account">set one up under Your account</Link>.
            </p>
          )}
          <p className={styles.recordNotice}>
            We keep your name, the time, your IP address, how you signed in
            {document.signature?.needs_confirmation && ' and confirmed that it’s you'}, and a fingerprint of
            the document, so that your signature can be proved later.
          </p>
        </form>
      </Panel>
      <UnsavedDrawingWarning hasDrawing={form.hasDrawing} />
    </div>
  );
}

function FailureAlert({ failure, documentId }: { failure: SigningFailure; documentId: string }) {
  const queries = useQueryClient();
  return (
    <Alert
      tone="danger"
      takesFocus
      title={failure.title}
      className={styles.failure}
      action={
        failure.isOutOfDate && (
          <Button
            look="quiet"
            size="small"
            onClick={() => {
              void queries.invalidateQueries({ queryKey: queryKeys.document(documentId) });
              void queries.invalidateQueries({ queryKey: queryKeys.documentContents(documentId) });
            }}
          >
            Show the latest version
          </Button>
        )
      }
    >
      <p>{failure.text}</p>
    </Alert>
  );
}

const fullName = ({ first_name, last_name }: ClientName) => `${first_name} ${last_name}`;

function fieldErrors({ name, consent, drawing }: SigningErrors) {
  return [
    ...(name ? [{ field: 'signature-name', message: name }] : []),
    ...(drawing ? [{ field: 'signature-clear', message: drawing }] : []),
    ...(consent ? [{ field: 'signature-consent', message: consent }] : []),
  ];
}
