import type { BindingMoment, DocumentGroup, SigningMethod } from './vocabulary.ts';

/**
 * Explains what signing a document commits the client to, in the same words on the home page, next to the form and in
 * the documentation.
 */
export const bindingNotices: Record<BindingMoment, string> = {
  signature: 'It commits you once it’s signed.',
  exchange: 'You’re committed when contracts are exchanged, not when you sign.',
  completion: 'It takes effect on completion, when we date it.',
};

const commitments: Record<BindingMoment, string> = {
  signature: ' It commits me once it’s signed.',
  exchange: ' I’m committed when contracts are exchanged, not when I sign.',
  completion: ' It takes effect on completion.',
};

/**
 * The statement that a client ticks before signing electronically. The server sends it with the document, and the
 * record of the signature and the signature page contain it.
 */
export const signatureConsent = (bindsOn: BindingMoment | null): string =>
  `I’ve read this document, and typing my name is my electronic signature.${bindsOn ? commitments[bindsOn] : ''}`;

/**
 * Whether clients confirm their identity when they sign a document, unless the firm says otherwise: a contract commits them to
 * much money, and someone else may be at an open session.
 */
export const confirmsIdentityByDefault = ({
  signing,
  group,
  binds_on,
}: {
  signing?: SigningMethod | null | undefined;
  group: DocumentGroup;
  binds_on?: BindingMoment | null | undefined;
}): boolean => signing === 'simple' && (group === 'contract' || binds_on === 'exchange');

/** Whether a document that is signed on the screen becomes one whose signers confirm their identity by default. */
export const becomesContract = (
  before: Parameters<typeof confirmsIdentityByDefault>[0],
  after: Parameters<typeof confirmsIdentityByDefault>[0],
): boolean => !confirmsIdentityByDefault(before) && confirmsIdentityByDefault(after);

/** Whether a document is printed and signed with a pen; the server refuses an electronic signature on it. */
export const isSignedOnPaper = (signing: SigningMethod | null): signing is 'deed' | 'wet_ink' =>
  signing === 'deed' || signing === 'wet_ink';
