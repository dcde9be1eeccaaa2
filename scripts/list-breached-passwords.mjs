// @ts-check
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Makes the list of breached passwords that new passwords are compared with, from a file with one password per line. It
 * contains the start of the SHA-256 of each password that is long enough to be accepted otherwise, in order.
 */

const [source] = process.argv.slice(2);
if (!source) {
  console.error(
    'usage: npm run list:breached -- FILE, such as 10-million-password-list-top-1000000.txt of SecLists',
  );
  process.exit(2);
}
const minLength = 12;
const hashLength = 5;
const passwords = readFileSync(source, 'utf8')
  .split('\n')
  .map((line) => line.trim().normalize('NFC').toLowerCase())
  .filter((password) => [...password].length >= minLength);
const hashes = [...new Set(passwords)]
  .map((password) => createHash('sha256').update(password).digest().subarray(0, hashLength))
  .sort(Buffer.compare);
writeFileSync(
  new URL('../apps/server/src/people/credentials/breached/breached-hashes.ts', import.meta.url),
  `/* Made by scripts/list-breached-passwords.mjs. */\n\nexport const breachedHashes =\n  '${Buffer.concat(hashes).toString('base64')}';\n`,
);
console.log(`${hashes.length} passwords`);
