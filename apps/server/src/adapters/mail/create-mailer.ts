import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Mail, Mailer } from '../../features/sign-in/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Letterhead, renderMail } from './render-mail.ts';

export interface MailerOptions {
  /** `smtp://user:password@host:587`; null: mails become files in the outbox. */
  smtpUrl: string | null;
  /** Folder for them. */
  outbox: string;
  /** The sender's address. */
  from: string;
  clock: Clock;
  letterhead(): Promise<Letterhead>;
}

/** Sends by SMTP, or lays each mail as a file of its own into the outbox folder, where nothing is sent. */
export function createMailer(options: MailerOptions): Mailer {
  const { smtpUrl, outbox, from, clock, letterhead } = options;
  const transport = smtpUrl
    ? createTransport({
        url: smtpUrl,
        connectionTimeout: 5_000,
        greetingTimeout: 5_000,
        socketTimeout: 10_000,
      })
    : createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    send: async (mail: Mail) => {
      const head = await letterhead();
      const sent = await transport.sendMail({
        from: { name: head.name, address: from },
        to: mail.to,
        date: clock(),
        // Answers of absent people's programs are of no use to anybody.
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderMail(mail, head),
      });
      if (!smtpUrl) await lay(outbox, (sent as unknown as { message: Buffer }).message, clock());
    },
  };
}

/** Whole or not at all: whoever reads the folder never finds half a mail. */
async function lay(outbox: string, message: Buffer, at: Date) {
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const name = `${at.toISOString().replaceAll(':', '')}-${randomBytes(4).toString('hex')}.eml`;
  await writeFile(join(outbox, `.${name}`), message, { mode: 0o600, flag: 'wx' });
  await rename(join(outbox, `.${name}`), join(outbox, name));
}
