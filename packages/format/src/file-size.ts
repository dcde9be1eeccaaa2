/** Formats a number of bytes: "640 bytes", "10 KB", "1.2 MB", "3.4 GB". */
export function formatFileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} KB`;
  if (bytes < 999_950_000) return `${withOneDecimal(bytes / 1_000_000)} MB`;
  return `${withOneDecimal(bytes / 1_000_000_000)} GB`;
}

const withOneDecimal = (value: number): string => value.toFixed(1).replace(/\.0$/, '');
