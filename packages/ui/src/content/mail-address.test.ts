import { expect, test } from 'vitest';
import { mailtoUrl, mailtoUrlWithText } from './mail-address.ts';

test.each([
  ['rhian.pugh@alder.example', 'mailto:rhian.pugh@alder.example'],
  ['rhian+sale@alder.example', 'mailto:rhian%2Bsale@alder.example'],
  ['a?bcc=thief@evil.example', 'mailto:a%3Fbcc%3Dthief@evil.example'],
  ['a@b.example&body=Pay%20here', 'mailto:a@b.example%26body%3DPay%2520here'],
  ['a,thief@evil.example#', 'mailto:a%2Cthief@evil.example%23'],
  ['a\ud800@b.example', 'mailto:a%EF%BF%BD@b.example'],
])('creates a mailto URL that has only the recipient %s', (address, url) => {
  expect(mailtoUrl(address)).toBe(url);
});

test('the subject and text of a mailto link cannot add headers to the email', () => {
  const url = mailtoUrlWithText('a@b.example', {
    subject: 'One & two?\nBcc: c@d.example',
    text: 'Hello,\n“100% sure”&cc=e@f.example #1\uD800',
  });
  expect(url).toBe(
    'mailto:a@b.example?subject=One%20%26%20two%3F%20Bcc%3A%20c%40d.example&body=Hello%2C%0D%0A%E2%80%9C100%25%20sure%E2%80%9D%26cc%3De%40f.example%20%231%EF%BF%BD',
  );
  expect([...new URL(url).searchParams.keys()]).toEqual(['subject', 'body']);
});
