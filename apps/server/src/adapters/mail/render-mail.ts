import { formatPhone } from '@keyturn/format/phone-number';
import type { Mail } from '../../platform/mailer.ts';

/** The sender: the firm, or the product before the first import. */
export interface Letterhead {
  name: string;
  phone: string | null;
  address: string[];
  /** What the firm says about new bank details. */
  bankDetails: string;
  /** What the firm must state in emails; empty if it has entered nothing. */
  statutoryLine: string;
  /** The dashboard’s address without its scheme, so that email programs show it as text; empty if it is not known. */
  dashboardAddress: string;
}

/** Renders an email as plain text and as HTML, without images, scripts or any other remote content. */
export function renderMail(
  mail: Mail,
  letterhead: Letterhead,
): { subject: string; text: string; html: string } {
  // Names can contain line breaks; a subject cannot.
  const subject = mail.subject.replaceAll(/\s+/g, ' ');
  return { subject, text: asText(mail, letterhead), html: asHtml({ ...mail, subject }, letterhead) };
}

function asText({ paragraphs, facts, closing = [], action }: Mail, letterhead: Letterhead): string {
  const parts = [
    ...paragraphs,
    ...(facts
      ? [[facts.heading, ...facts.rows.map(([name, value]) => `${name}: ${inOneLine(value)}`)].join('\n')]
      : []),
    ...closing,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    '-- ',
    ...footerOf(letterhead),
  ];
  return `${parts.join('\n\n')}\n`;
}

function asHtml(mail: Mail, letterhead: Letterhead): string {
  const { subject, paragraphs, facts, closing = [], action } = mail;
  return `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>${darkStyle}</style></head>
<body style="margin:0;padding:24px 16px;background:#f7f4ed;color:#1b2420;font:16px/1.55 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p style="margin:0 0 24px;font:500 20px Georgia,serif">${escaped(letterhead.name)}</p>
${paragraphs.map(paragraphOf).join('\n')}
${facts ? tableOf(facts) : ''}
${closing.map(paragraphOf).join('\n')}
${action ? buttonOf(action) : ''}
<hr style="margin:28px 0 16px;border:0;border-top:1px solid #ddd6c8">
${footerOf(letterhead)
  .map((line) => `<p class="quiet" style="margin:8px 0;color:#434c46;font-size:14px">${escaped(line)}</p>`)
  .join('\n')}
</div></body></html>`;
}

/** For email programs with a dark mode; others show the light style. */
const darkStyle = `@media (prefers-color-scheme:dark){
body{background:#141a17!important;color:#eef1ec!important}
.quiet{color:#b7c0b9!important}
hr,table,th,td{border-color:#3a443e!important}
.button{background:#8fd0b8!important;color:#10201a!important}}`;

const paragraphOf = (paragraph: string) => `<p dir="auto" style="margin:0 0 16px">${escaped(paragraph)}</p>`;

/** Each name is its row's header, so that screen readers announce it with the value. */
function tableOf({ heading, rows }: NonNullable<Mail['facts']>): string {
  const cell = 'padding:8px 0;border-top:1px solid #ddd6c8;text-align:start;vertical-align:top';
  return `<h1 style="margin:24px 0 8px;font:500 20px/1.3 Georgia,serif">${escaped(heading)}</h1>
<table style="width:100%;margin:0 0 24px;border-collapse:collapse;border-bottom:1px solid #ddd6c8">
${rows
  .map(
    ([name, value]) =>
      `<tr><th scope="row" class="quiet" style="${cell};padding-inline-end:16px;width:30%;font-weight:400;color:#434c46">${escaped(name)}</th><td dir="auto" style="${cell}">${escaped(value)}</td></tr>`,
  )
  .join('\n')}
</table>`;
}

const buttonOf = ({ label, url }: NonNullable<Mail['action']>) =>
  `<p style="margin:0 0 16px"><a class="button" href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#14483c;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>
<p class="quiet" style="margin:0 0 16px;color:#434c46;font-size:14px">Or copy this address into your browser:<br>${escaped(url)}</p>`;

function footerOf({
  name,
  phone,
  address,
  bankDetails,
  statutoryLine,
  dashboardAddress,
}: Letterhead): string[] {
  return [
    bankDetails,
    [name, ...address].join(', ') + (phone ? `. Telephone ${formatPhone(phone)}` : ''),
    ...(statutoryLine ? [statutoryLine] : []),
    ...(dashboardAddress ? [`Complaints and privacy: see ${dashboardAddress}`] : []),
  ];
}

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
