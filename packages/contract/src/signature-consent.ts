/**
 * The statement that a client ticks before signing. The dashboard shows it next to the checkbox, and the record of the
 * signature contains it.
 */
export const signatureConsent = 'I’ve read this document, and typing my name is my electronic signature.';
