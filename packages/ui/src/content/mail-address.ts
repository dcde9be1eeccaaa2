/** Returns the `mailto:` URL of an email address. No character of the address can add a recipient, subject or text. */
export const mailtoUrl = (address: string): string =>
  `mailto:${address.toWellFormed().split('@').map(encodeURIComponent).join('@')}`;

/** Returns the `mailto:` URL of an email that the reader’s email program opens with this subject and text. */
export const mailtoUrlWithText = (address: string, { subject, text }: MailText): string =>
  `${mailtoUrl(address)}?subject=${encodeURIComponent(subject.toWellFormed().replaceAll(/\p{Cc}+/gu, ' '))}&body=${encodeURIComponent(
    text.toWellFormed().replaceAll('\n', '\r\n'),
  )}`;

export interface MailText {
  subject: string;
  text: string;
}
