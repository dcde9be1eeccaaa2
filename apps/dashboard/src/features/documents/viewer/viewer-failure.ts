import { ApiError, messageOf } from '../../../api/client/api-error.ts';

export interface FailureWords {
  title: string;
  text: string;
  /** Whether the file itself is there to be saved. */
  canDownload: boolean;
}

/** Why a document is not shown, and what can be done. */
export function failureWords(error: unknown): FailureWords {
  if (error instanceof ApiError) {
    if (error.code === 'document_damaged') {
      return {
        title: 'This document is damaged',
        text: 'The file is not what we were given, so we do not show it. We have been told. Call us, and we will send it to you again.',
        canDownload: false,
      };
    }
    return { title: 'This document could not be loaded', text: messageOf(error), canDownload: false };
  }
  const reason = error instanceof Error && 'reason' in error ? error.reason : null;
  if (reason === 'password') {
    return {
      title: 'This document is locked with a password',
      text: 'Download it and open it with its password. If you do not have the password, call us.',
      canDownload: true,
    };
  }
  if (reason === 'broken') {
    return {
      title: 'This document cannot be shown here',
      text: 'The file may be incomplete. Try again, download it, or call us and we will send it to you again.',
      canDownload: true,
    };
  }
  return {
    title: 'The viewer could not be loaded',
    text: 'Check your connection and try again. You can also download the document.',
    canDownload: true,
  };
}

/** A picture that the browser cannot read. */
export class BrokenImage extends Error {
  override readonly name = 'BrokenImage';
  readonly reason = 'broken';
}
