import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '../../platform/mailer.ts';
import { createMailer } from './create-mailer.ts';
import { renderMail } from './render-mail.ts';

const letterhead = {
  name: 'Alder & Finch <Conveyancing>',
  phone: '0117 496 0100',
  address: ['12 Queen Square', 'Bristol'],
  bankDetails: 'We will not tell you about new bank details by email.',
  statutoryLine:
    'Alder & Finch <Conveyancing> is a partnership. Regulated by the Council for Licensed Conveyancers (practice number 1).',
  dashboardAddress: 'clients.example.test',
};
const mail: Mail = {
  to: { name: "李小龍 O'Brien-Łukasiewicz", address: 'client@example.test' },
  subject: 'Choose a new\r\nBcc: evil@example.test password',
  paragraphs: ['Hello <b>Zoë</b> & "all" 😀', 'مرحبا'],
  action: { label: 'Choose', url: 'https://clients.example.test/reset-password/abc' },
};

let folder: string;
let smtp: FakeSmtp;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-mailer-'));
  smtp = await startFakeSmtp();
});
afterEach(() => {
  smtp.close();
  rmSync(folder, { recursive: true, force: true });
});

const mailer = (smtpUrl: string | null) =>
  createMailer({
    smtpUrl,
    outbox: join(folder, 'outbox'),
    from: 'no-reply@alder.example',
    clock: () => new Date('2026-11-21T09:00:00.123Z'),
    letterhead: async () => letterhead,
  });

describe('outbox', () => {
  test('writes each email to a complete file that only its owner can read', async () => {
    await Promise.all([mailer(null).send(mail), mailer(null).send(mail)]);
    const files = readdirSync(join(folder, 'outbox'));
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/^2026-11-21T090000\.123Z-[0-9a-f]{8}\.eml$/);
      expect(statSync(join(folder, 'outbox', file)).mode & 0o777).toBe(0o600);
      const text = readFileSync(join(folder, 'outbox', file), 'utf8');
      expect(text).toMatch(/^Date: Sat, 21 Nov 2026 09:00:00 \+0000\r$/m);
      expect(text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/m);
    }
  });

  test('keeps one copy, with its attachment, of an email that is sent twice', async () => {
    const again: Mail = {
      ...mail,
      identity: { name: 'payment-receipt-1', at: new Date('2026-11-20T09:00:00Z') },
      attachments: [
        { fileName: 'Receipt "R-1".pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-') },
      ],
    };
    const ids = [await mailer(null).send(again), await mailer(null).send(again)];
    expect(ids).toEqual(Array(2).fill('<payment-receipt-1@alder.example>'));
    const [file = '', ...others] = readdirSync(join(folder, 'outbox'));
    expect(others).toEqual([]);
    const text = readFileSync(join(folder, 'outbox', file), 'utf8');
    expect(text).toMatch(/^Message-ID: <payment-receipt-1@alder\.example>\r$/m);
    expect(text).toContain(Buffer.from('%PDF-').toString('base64'));
  });

  test.each([
    'a@example.test, b@example.test',
    'a@example.test\r\nBcc: b@example.test',
    '<a@example.test>',
    '"x@y" <a@b>',
  ])('rejects the recipient %j, which is not a single address', async (address) => {
    await expect(mailer(null).send({ ...mail, to: { name: 'A', address } })).rejects.toThrow(
      /not a single valid email address/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('SMTP', () => {
  test('sends the email to the configured SMTP server', async () => {
    await mailer(smtp.url).send(mail);
    expect(smtp.received).toHaveLength(1);
    expect(smtp.received[0]).toMatchObject({
      from: '<no-reply@alder.example>',
      to: ['<client@example.test>'],
    });
    expect(smtp.received[0]?.data).toContain('multipart/alternative');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('sending an email fails if the SMTP server rejects it, so that the caller can retry', async () => {
    smtp.rejectsMail = true;
    await expect(mailer(smtp.url).send(mail)).rejects.toThrow(/451/);
  });

  test('sending an email fails if the SMTP server is unreachable', async () => {
    const { url } = smtp;
    smtp.close();
    await expect(mailer(url).send(mail)).rejects.toThrow(/ECONNREFUSED/);
  });

  test.each([
    ['smtp://canary:canary-password@mail.invalid', 'mail.invalid:587'],
    ['smtps://canary:canary-password@mail.invalid', 'mail.invalid:465'],
    ['smtp://canary:canary-password@[::1]:1', '[::1]:1'],
  ])('an email that cannot be sent to %s names %s, without the password', async (url, host) => {
    const failure: Error = await mailer(url)
      .send(mail)
      .then(
        () => new Error('sent'),
        (error) => error,
      );
    expect(failure.message).toContain(`the mail server at ${host} `);
    expect(failure.message).not.toContain('canary');
  });
});

describe('renderMail', () => {
  test('fault 60: renders the same words as text and as escaped HTML', () => {
    const { subject, text, html } = renderMail(mail, letterhead);
    expect(subject).toBe('Choose a new Bcc: evil@example.test password');
    expect(text).toContain('Hello <b>Zoë</b> & "all" 😀');
    expect(text).toContain('Choose:\nhttps://clients.example.test/reset-password/abc');
    expect(html).toContain('Hello &#60;b&#62;Zoë&#60;/b&#62; &#38; &#34;all&#34; 😀');
    expect(html).toContain('Alder &#38; Finch &#60;Conveyancing&#62;');
    expect(html).toMatch(/<p dir="auto"[^>]*>مرحبا<\/p>/);
    expect(html).not.toMatch(/<(script|img|link|b)\b/);
  });

  test('states the firm’s legal form and its regulator in full, and has one link', () => {
    const { text, html } = renderMail(mail, letterhead);
    expect(text).toContain(letterhead.statutoryLine);
    expect(text).toContain(letterhead.bankDetails);
    expect(html).toContain('(practice number 1).');
    expect(html.match(/<a\b/g)).toHaveLength(1);
  });

  test('says as text where clients read about complaints and privacy', () => {
    const { text, html } = renderMail(mail, letterhead);
    expect(text).toContain('Complaints and privacy: see clients.example.test\n');
    expect(html).toContain('Complaints and privacy: see clients.example.test<');
    expect(html.match(/<a\b/g)).toHaveLength(1);
  });
});

interface FakeSmtp {
  url: string;
  received: { from: string; to: string[]; data: string }[];
  rejectsMail: boolean;
  close(): void;
}

/** Starts a server with the SMTP commands (RFC 5321) that sending an email needs. */
async function startFakeSmtp(): Promise<FakeSmtp> {
  const fake = { received: [], rejectsMail: false } as unknown as FakeSmtp;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let mail = { from: '', to: [] as string[], data: '' };
    let inData = false;
    let unread = '';
    const reply = (line: string) => socket.write(`${line}\r\n`);
    reply('220 fake');
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      unread += chunk.toString('utf8');
      for (let end = unread.indexOf('\r\n'); end >= 0; end = unread.indexOf('\r\n')) {
        const line = unread.slice(0, end);
        unread = unread.slice(end + 2);
        if (inData && line !== '.') mail.data += `${line}\n`;
        else if (inData) {
          inData = false;
          fake.received.push(mail);
          mail = { from: '', to: [], data: '' };
          reply('250 OK');
        } else if (/^MAIL FROM:/i.test(line)) {
          mail.from = line.slice(10).split(' ')[0] ?? '';
          reply(fake.rejectsMail ? '451 try again later' : '250 OK');
        } else if (/^RCPT TO:/i.test(line)) {
          mail.to.push(line.slice(8));
          reply('250 OK');
        } else if (/^DATA/i.test(line)) {
          inData = true;
          reply('354 continue');
        } else if (/^QUIT/i.test(line)) {
          reply('221 bye');
          socket.end();
        } else reply('250 OK');
      }
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  fake.url = `smtp://127.0.0.1:${address.port}?ignoreTLS=true`;
  fake.close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return fake;
}
