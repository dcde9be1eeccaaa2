import { isUtf8 } from 'node:buffer';

/**
 * Tells whether a file is a PDF. Mail gateways and scanners write other bytes before a PDF. Readers look for its header in
 * the first 1,024 bytes. A file that is also a program, an archive or a web page is none.
 */
export function hasPdfHeader(content: Buffer): boolean {
  const start = content.subarray(0, 1_024).toString('latin1');
  return start.includes('%PDF-') && !/^(?:MZ|PK|\x7fELF|\s*<)/.test(start);
}

/**
 * Tells whether a file was read and written as text on its way: its bytes that are no characters have become U+FFFD, so that
 * compressed pages are shown blank. An intact PDF with compressed pages is not valid UTF-8.
 */
export const wasReadAsText = (content: Buffer): boolean => content.includes('\uFFFD') && isUtf8(content);
