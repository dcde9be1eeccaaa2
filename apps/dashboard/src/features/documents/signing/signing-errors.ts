import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';
import { type ClientName, cardNumberNotAllowed, hasCardNumber, matchesClientName } from '@keyturn/contract';

/** Why a document was not signed: an error for each field, or one for the whole form. */
export interface SigningErrors {
  name?: string;
  consent?: string;
  drawing?: string;
  form?: SigningFailure;
}

export interface SigningFailure {
  title: string;
  text: string;
  /** Whether the document on the screen is out of date and must be loaded again. */
  isOutOfDate: boolean;
}

/**
 * Checks the form before it is sent.
 * @param signer undefined while the signed-in client is unknown
 */
export function validateSignature(
  { name, consent }: { name: string; consent: boolean },
  signer?: ClientName,
): SigningErrors {
  return {
    ...validateName(name, signer),
    ...(consent ? {} : { consent: consentError }),
  };
}

const consentError = 'Tick the box to confirm that you’ve read the document and are signing it.';

function validateName(name: string, signer: ClientName | undefined): SigningErrors {
  if (name.trim().length < 2) return { name: 'Type your full name.' };
  if (hasCardNumber(name)) return { name: cardNumberNotAllowed };
  if (!signer || matchesClientName(name, signer)) return {};
  const ownName = `${signer.first_name} ${signer.last_name}`;
  return {
    name: `Type your own name as we have it: ${ownName}. If your name has changed, call us before you sign.`,
  };
}

/** Converts an error from the server or the network. In all of these cases the document has not been signed again. */
export function signingErrorsFrom(error: unknown): SigningErrors {
  if (error instanceof ApiError) {
    const { code, errors } = error;
    if (code === 'invalid_input') {
      const isInvalid = (field: string) =>
        Object.keys(errors).some((path) => path === field || path.startsWith(`${field}.`));
      const fieldErrors: SigningErrors = {
        ...(isInvalid('name') ? { name: 'Type your full name, up to 200 characters.' } : {}),
        ...(isInvalid('consent') ? { consent: consentError } : {}),
        ...(isInvalid('drawing')
          ? { drawing: 'Clear the drawing and draw it again, or sign with your typed name only.' }
          : {}),
      };
      if (Object.keys(fieldErrors).length > 0) return fieldErrors;
    }
    if (code === 'name_mismatch') return { name: messageOf(error) };
    if (code === 'document_changed') {
      return failure(
        'This document has changed since you opened it',
        true,
        'You haven’t signed it. Please read the latest version.',
      );
    }
    if (code === 'already_signed') {
      return failure('You’ve already signed this document', true, 'You don’t need to sign it again.');
    }
    if (code === 'signed_on_paper') {
      return failure('This document is signed on paper', true, messageOf(error));
    }
    if (code === 'signature_not_requested') {
      return failure('We no longer need your signature', true, 'You haven’t signed this document.');
    }
    if (code === 'document_not_signable') {
      return failure('You can’t sign this file on the screen', false, messageOf(error));
    }
    if (code === 'document_damaged') {
      return failure('This document is damaged', false, 'You haven’t signed it. Please call us.');
    }
  }
  return failure('You haven’t signed yet', false, messageOf(error));
}

const failure = (title: string, isOutOfDate: boolean, text: string): SigningErrors => ({
  form: { title, text, isOutOfDate },
});
