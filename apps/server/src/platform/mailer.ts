/** What features need of the post. */
export interface Mailer {
  /**
   * @returns the mail's Message-ID
   * @throws when the mail was not taken; the caller tries again
   */
  send(mail: Mail): Promise<string>;
}

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  /** Plain text, one entry a paragraph. */
  paragraphs: string[];
  /** A heading and what stands below it, name and value by row. */
  facts?: { heading: string; rows: [string, string][] };
  /** Below the facts. */
  closing?: string[];
  /** The one thing to do. */
  action?: { words: string; url: string };
  attachments?: { fileName: string; mediaType: string; content: Buffer }[];
  /**
   * What makes this mail the same one when it is sent again: the part of its Message-ID before the `@`, and its date.
   * Receivers drop a Message-ID that they have. Without it every mail is another one.
   */
  same?: { name: string; at: Date };
}
