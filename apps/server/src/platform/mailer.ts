/** Sends emails for the features. */
export interface Mailer {
  /**
   * @returns the email's Message-ID
   * @throws if the email was not accepted; the caller retries
   */
  send(mail: Mail): Promise<string>;
}

export interface Mail {
  to: { name: string; address: string };
  subject: string;
  /** Plain text, one entry per paragraph. */
  paragraphs: string[];
  /** A heading and a table below it, with a name and a value in each row. */
  facts?: { heading: string; rows: [string, string][] };
  /** Paragraphs below the facts. */
  closing?: string[];
  /** The button. */
  action?: { label: string; url: string };
  attachments?: { fileName: string; mediaType: string; content: Buffer }[];
  /**
   * Identifies the email when it is sent again: the part of its Message-ID before the `@`, and its date. Mail servers
   * drop duplicates of a Message-ID. Without it, each attempt is a new email.
   */
  identity?: { name: string; at: Date };
}
