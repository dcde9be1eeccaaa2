import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sendRequest } from './api-client.ts';

/** Returns the emails that a product has sent, oldest first. */
export function readOutbox(dataDirectory: string): string[] {
  const outbox = join(dataDirectory, 'outbox');
  if (!existsSync(outbox)) return [];
  return readdirSync(outbox)
    .filter((file) => file.endsWith('.eml'))
    .sort()
    .map((file) => readFileSync(join(outbox, file), 'utf8').replaceAll('=\r\n', ''));
}

/** Returns the link in a client's password email, and requests the email if there is none yet. */
export async function findPasswordLink(
  { url, dataDirectory }: { url: string; dataDirectory: string },
  email: string,
): Promise<string> {
  const find = () => {
    const link = /http:\/\/[^\s"<>]+\/reset-password#[\w-]{43}/;
    const mail = readOutbox(dataDirectory).findLast((text) => text.includes(email) && link.test(text));
    return link.exec(mail ?? '')?.[0];
  };
  if (!find()) await sendRequest(url, '/password/forgot', { body: { email } });
  for (const until = Date.now() + 20_000; Date.now() < until; await wait(100)) {
    const link = find();
    if (link) return link;
  }
  throw new Error(`no mail with a link was sent to ${email}`);
}
