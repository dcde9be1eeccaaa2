/** What sign-in needs of the post. */
export interface Mailer {
  /** @throws when the mail was not taken; the caller tries again */
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  /** Plain text, one entry a paragraph. */
  paragraphs: string[];
  /** The one thing to do. */
  action?: { words: string; url: string };
}
