import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
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
      const date = mail.same?.at ?? clock();
      const messageId = `<${mail.same?.name ?? randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
      const sent = await transport.sendMail({
        from: { name: inOneLine(head.name), address: from },
        to: { name: inOneLine(mail.to.name), address: checked(mail.to.address) },
        date,
        messageId,
        // Answers of absent people's programs are of no use to anybody.
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderMail(mail, head),
        attachments: (mail.attachments ?? []).map(({ fileName, mediaType, content }) => ({
          filename: fileName,
          contentType: mediaType,
          content,
        })),
        // A mail is made of what it is given: nothing in it is a path or an address to be read.
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      if (!smtpUrl) {
        await lay(outbox, fileName(date, mail.same?.name), (sent as unknown as { message: Buffer }).message);
      }
      return messageId;
    },
  };
}

/** Whole or not at all: whoever reads the folder never finds half a mail. */
async function lay(outbox: string, name: string, message: Buffer) {
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const unfinished = join(outbox, `.${name}.${randomBytes(4).toString('hex')}`);
  await writeFile(unfinished, message, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, join(outbox, name));
}

/** A mail that is sent again takes the place of its earlier copy. */
function fileName(date: Date, same: string | undefined): string {
  const mark = same ? createHash('sha256').update(same).digest() : randomBytes(4);
  return `${date.toISOString().replaceAll(':', '')}-${mark.toString('hex').slice(0, 8)}.eml`;
}

/** One address and nothing besides: no second recipient, no words of the protocol. */
function checked(address: string): string {
  if (!/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(address)) {
    throw new Error('the address is not one that a mail can be sent to');
  }
  return address;
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
