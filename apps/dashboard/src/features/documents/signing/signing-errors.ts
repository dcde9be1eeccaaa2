import { type ClientName, hasCardNumber, isNameOf, noCardNumberHere } from '@keyturn/contract';
import { ApiError, messageOf } from '../../../api/client/api-error.ts';

/** What stops a signature: at the field that it is about or, for all else, for the whole form. */
export interface SignFaults {
  name?: string;
  consent?: string;
  drawing?: string;
  form?: SignRefusal;
}

export interface SignRefusal {
  title: string;
  text: string;
  /** The document on the screen is not as it is now: it has to be asked for again. */
  isOutOfDate: boolean;
}

/** @param signer undefined while it is not known who is signed in */
export function missingFaults(
  { name, consent }: { name: string; consent: boolean },
  signer?: ClientName,
): SignFaults {
  return {
    ...nameFault(name, signer),
    ...(consent
      ? {}
      : { consent: 'Tick the box to say that you have read the document and mean to sign it.' }),
  };
}

function nameFault(name: string, signer: ClientName | undefined): SignFaults {
  if (name.trim().length < 2) return { name: 'Type your full name.' };
  if (hasCardNumber(name)) return { name: noCardNumberHere };
  if (!signer || isNameOf(name, signer)) return {};
  const own = `${signer.first_name} ${signer.last_name}`;
  return { name: `Type your own name as we have it: ${own}. If it has changed, call us before you sign.` };
}

/** A refusal of the server, or of the line. Nothing is signed in any of them. */
export function signFaultsOf(error: unknown): SignFaults {
  if (error instanceof ApiError) {
    const { code, errors } = error;
    if (code === 'invalid_input') {
      const of = (field: string) =>
        Object.keys(errors).some((path) => path === field || path.startsWith(`${field}.`));
      const faults: SignFaults = {
        ...(of('name') ? { name: 'Type your full name, up to 200 characters.' } : {}),
        ...(of('consent') ? { consent: 'Tick the box to say that you mean to sign.' } : {}),
        ...(of('drawing')
          ? { drawing: 'Clear the drawing and draw it again, or sign with your name alone.' }
          : {}),
      };
      if (Object.keys(faults).length > 0) return faults;
    }
    if (code === 'not_your_name') return { name: messageOf(error) };
    if (code === 'document_changed') {
      return refusal('This document has changed since you opened it', true, 'Please read it as it is now.');
    }
    if (code === 'already_signed') {
      return refusal('You have already signed this document', true, 'It was not signed a second time.');
    }
    if (code === 'not_to_sign') {
      return refusal('Your signature is no longer asked for', true, 'You have not signed it.');
    }
    if (code === 'document_damaged') {
      return refusal('This document is damaged', false, 'You have not signed it. Please call us.');
    }
  }
  return refusal('You have not signed yet', false, messageOf(error));
}

const refusal = (title: string, isOutOfDate: boolean, text: string): SignFaults => ({
  form: { title, text, isOutOfDate },
});
