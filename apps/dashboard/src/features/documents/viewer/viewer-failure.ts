import { ApiError, messageOf } from '@keyturn/browser/calls/api-error.ts';

export interface ViewerFailureText {
  title: string;
  text: string;
  /** Whether the file itself arrived, so that the client can download it. */
  canDownload: boolean;
}

/** Explains to the client why a document is not shown and what they can do. */
export function describeFailure(error: unknown): ViewerFailureText {
  if (error instanceof ApiError) {
    if (error.code === 'document_damaged') {
      return {
        title: 'This document is damaged',
        text: 'The file is no longer as we stored it, so we can’t show it to you. We’ve been alerted. Call us and we’ll send it to you again.',
        canDownload: false,
      };
    }
    return { title: 'We couldn’t load this document', text: messageOf(error), canDownload: false };
  }
  const reason = error instanceof Error && 'reason' in error ? error.reason : null;
  if (reason === 'password') {
    return {
      title: 'This document is protected by a password',
      text: 'Download it and open it with the password. If you don’t have the password, call us.',
      canDownload: true,
    };
  }
  if (reason === 'broken') {
    return {
      title: 'We can’t show this document here',
      text: 'The file may be incomplete. Try again, download it, or call us and we’ll send it to you again.',
      canDownload: true,
    };
  }
  return {
    title: 'The document viewer didn’t load',
    text: 'Check your connection and try again. You can also download the document.',
    canDownload: true,
  };
}

/** An image that the browser cannot decode. */
export class UnreadableImage extends Error {
  override readonly name = 'UnreadableImage';
  readonly reason = 'broken';
}
