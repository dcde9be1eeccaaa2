/**
 * What a client ticks before signing. The dashboard shows these words beside the box, and the record of the
 * signature keeps them.
 */
export const signatureConsent =
  'I have read this document. I mean my name here to be my signature on it, and agree to sign it electronically.';
