import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isEmailAddress } from '@keyturn/contract';
import { createTransport } from 'nodemailer';
import type { Clock } from '../../platform/clock.ts';
import { describeError, hostAndPort } from '../../platform/describe-error.ts';
import type { Mail, Mailer } from '../../platform/mailer.ts';
import { type Letterhead, renderMail } from './render-mail.ts';

export interface MailerOptions {
  /** Such as `smtp://user:password@host:587`; null: emails become files in the outbox. */
  smtpUrl: string | null;
  /** The folder for emails that are not sent. */
  outbox: string;
  /** The sender's address. */
  from: string;
  clock: Clock;
  letterhead(): Promise<Letterhead>;
}

/** Creates a mailer that sends by SMTP or, without SMTP, writes each email to a file in the outbox folder. */
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
      const sender = await letterhead();
      const date = mail.identity?.at ?? clock();
      const messageId = `<${mail.identity?.name ?? randomUUID()}@${from.slice(from.lastIndexOf('@') + 1)}>`;
      const sent = await transport
        .sendMail({
          from: { name: collapseSpaces(sender.name), address: from },
          to: { name: collapseSpaces(mail.to.name), address: checkAddress(mail.to.address) },
          date,
          messageId,
          // Suppresses out-of-office replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          ...renderMail(mail, sender),
          attachments: (mail.attachments ?? []).map(({ fileName, mediaType, content }) => ({
            filename: fileName,
            contentType: mediaType,
            content,
          })),
          // Contents are passed in, so nodemailer never needs to read a file or a URL.
          disableFileAccess: true,
          disableUrlAccess: true,
        })
        .catch((error: unknown) => {
          if (!smtpUrl) throw error;
          const { code, message } = describeError(error);
          const named = new Error(`the mail server ${placeOf(smtpUrl)}failed: ${message}`, { cause: error });
          throw Object.assign(named, { code });
        });
      if (!smtpUrl) {
        await writeToOutbox(
          outbox,
          fileName(date, mail.identity?.name),
          (sent as unknown as { message: Buffer }).message,
        );
      }
      return messageId;
    },
  };
}

/** Names the server for the log. The driver reads some addresses that are no URLs, which may contain a password. */
function placeOf(smtpUrl: string): string {
  if (!URL.canParse(smtpUrl)) return '';
  return `at ${hostAndPort(smtpUrl)} `;
}

/** Writes atomically, so that readers of the folder never see an incomplete email. */
async function writeToOutbox(outbox: string, name: string, message: Buffer) {
  await mkdir(outbox, { recursive: true, mode: 0o700 });
  const unfinished = join(outbox, `.${name}.${randomBytes(4).toString('hex')}`);
  await writeFile(unfinished, message, { mode: 0o600, flag: 'wx' });
  await rename(unfinished, join(outbox, name));
}

/** A retried email has the same name, so it replaces its earlier copy. */
function fileName(date: Date, name: string | undefined): string {
  const suffix = name ? createHash('sha256').update(name).digest() : randomBytes(4);
  return `${date.toISOString().replaceAll(':', '')}-${suffix.toString('hex').slice(0, 8)}.eml`;
}

/** Rejects anything but a single address, such as a second recipient or a header. */
function checkAddress(address: string): string {
  if (!isEmailAddress(address)) {
    throw new Error('the recipient is not a single valid email address');
  }
  return address;
}

const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ');
