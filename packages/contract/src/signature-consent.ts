/** The consent a client ticks before signing. The dashboard shows it, and every signature record contains it. */
export const signatureConsent = 'I’ve read this document, and typing my name is my electronic signature.';
