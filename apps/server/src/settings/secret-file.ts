import { readFileSync, statSync } from 'node:fs';

/**
 * Reads a secret from a file, without the newline that most programs write at its end.
 * @returns the secret, or the problem with the file, which never repeats its content
 */
export function readSecretFile(path: string): { secret: string } | { fault: string } {
  try {
    const file = statSync(path);
    // Reading a pipe could wait forever.
    if (!file.isFile()) return { fault: 'is not a file' };
    if (file.size > maxBytes) return { fault: 'has more than 64 KB' };
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
    if (secret.trim() === '') return { fault: 'is empty' };
    return secret.includes('\0') ? { fault: 'contains a NUL character' } : { secret };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { fault: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` };
  }
}

const maxBytes = 64 * 1024;
