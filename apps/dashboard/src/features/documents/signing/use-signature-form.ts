import { isString } from '@keyturn/browser/checks/check.ts';
import type { ClientName } from '@keyturn/contract';
import { type FormEvent, useRef, useState } from 'react';
import { draftsFor } from '../../../api/drafts/drafts.ts';
import { useDraft } from '../../../api/drafts/use-draft.ts';
import { useSignDocument } from '../../../api/queries/use-document-actions.ts';
import { useServices } from '../../../api/services/services.ts';
import { useConfirmation } from '../../../api/session/confirm-identity.ts';
import { hashFile } from './hash-file.ts';
import { toSignatureDrawing } from './signature-drawing.ts';
import type { PadDrawing } from './signature-pad.ts';
import { type SigningErrors, signingErrorsFrom, validateSignature } from './signing-errors.ts';

/** The state of the signature form: its fields, its errors and sending it once. */
export function useSignatureForm({
  documentId,
  file,
  sha256,
  consent,
  signer,
}: {
  documentId: string;
  /** The file on the screen. */
  file: Blob;
  /** SHA-256 of the original, as its record says. */
  sha256: string;
  /** The statement next to the checkbox. */
  consent: string;
  signer: ClientName | undefined;
}) {
  const sign = useSignDocument(documentId);
  const withConfirmation = useConfirmation();
  const name = useRef<HTMLInputElement>(null);
  const consentBox = useRef<HTMLInputElement>(null);
  const [drawing, setDrawing] = useState<PadDrawing | null>(null);
  const [errors, setErrors] = useState<SigningErrors>({});
  const isSubmitting = useRef(false);
  const hasDrawing = drawing !== null && !sign.isSuccess;
  // Only the name is kept: consent is given when the client signs.
  const draft = `signature-${documentId}`;
  const drafts = draftsFor(useServices());
  const [typedName, setTypedName] = useState(() => drafts.restore(draft, isString) ?? '');
  useDraft(draft, typedName === '' || sign.isSuccess ? null : typedName);
  // Marks the form as having something to lose; the drawing itself is never stored.
  useDraft('signature', hasDrawing ? undefined : null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSubmitting.current) return;
    const entered = { name: name.current?.value.trim() ?? '', consent: consentBox.current?.checked ?? false };
    const invalid = validateSignature(entered, signer);
    setErrors(invalid);
    if (Object.keys(invalid).length > 0) return;
    isSubmitting.current = true;
    try {
      const strokes = drawing ? toSignatureDrawing(drawing.lines, drawing.pad) : undefined;
      const shown_sha256 = await hashFile(file);
      const body = {
        name: entered.name,
        consent,
        sha256,
        ...(shown_sha256 ? { shown_sha256 } : {}),
        ...(strokes ? { drawing: strokes } : {}),
      };
      await withConfirmation(() => sign.mutateAsync(body));
    } catch (error) {
      setErrors(signingErrorsFrom(error));
    } finally {
      isSubmitting.current = false;
    }
  };

  return {
    name,
    typedName,
    setTypedName,
    consentBox,
    setDrawing,
    hasDrawing,
    errors,
    isPending: sign.isPending,
    submit,
  };
}
