/**
 * Returns a file name that is safe to suggest for a download: without path separators, control characters, and marks
 * that change the direction of text, which can make "gpj.exe" look like "exe.jpg".
 */
export const safeFileName = (fileName: string): string =>
  fileName.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').replaceAll(/[\p{Cc}/\\]/gu, '_');
