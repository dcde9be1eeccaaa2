import type { Mail } from '../../features/sign-in/ports.ts';

/** Who writes: the firm, or the product where no firm is known yet. */
export interface Letterhead {
  name: string;
  phone: string | null;
  address: string[];
  sraNumber: string | null;
}

/** The same words as plain text and as HTML without images, scripts or anything that is fetched. */
export function renderMail(
  { subject, paragraphs, action }: Mail,
  letterhead: Letterhead,
): { subject: string; text: string; html: string } {
  const foot = footOf(letterhead);
  const text = [...paragraphs, ...(action ? [`${action.words}:\n${action.url}`] : []), '-- ', ...foot];
  const button =
    action &&
    `<p><a href="${escaped(action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#14483c;color:#ffffff;text-decoration:none">${escaped(action.words)}</a></p>
<p style="color:#434c46;font-size:14px">Or copy this address into your browser:<br>${escaped(action.url)}</p>`;
  const html = `<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f7f4ed;color:#1b2420;font:16px/1.55 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
<p style="font:500 20px Georgia,serif">${escaped(letterhead.name)}</p>
${paragraphs.map((paragraph) => `<p dir="auto">${escaped(paragraph)}</p>`).join('\n')}
${button ?? ''}
<hr style="border:0;border-top:1px solid #ddd6c8">
${foot.map((line) => `<p style="color:#434c46;font-size:14px">${escaped(line)}</p>`).join('\n')}
</div></body></html>`;
  // A subject is one line, whatever stands in a name.
  return { subject: subject.replaceAll(/\s+/g, ' '), text: `${text.join('\n\n')}\n`, html };
}

function footOf({ name, phone, address, sraNumber }: Letterhead): string[] {
  return [
    'We never send or change bank details by email. If you get such a message, call us on the number you already know.',
    [name, ...address].join(', ') + (phone ? `. Telephone ${phone}` : ''),
    ...(sraNumber ? [`Regulated by the Solicitors Regulation Authority, number ${sraNumber}.`] : []),
  ];
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
