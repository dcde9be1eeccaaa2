import { expect, test } from 'vitest';
import { isEmailAddress } from './email-address.ts';

// cspell:ignore bcher

test.each([
  'ada@example.test',
  'ADA.Byrne+house@mail.example.co.uk',
  "o'brien@example.org",
  'a_b-c@xn--bcher-kva.example',
  '1@2.example',
  'ada@example.xn--p1ai',
])('accepts the email address “%s”', (text) => expect(isEmailAddress(text)).toBe(true));

test.each([
  '',
  'ada',
  'ada@example',
  'ada@example.test.',
  'ada@example.test,',
  'ada@example,test',
  'ada@example.test, bo@example.test',
  'ada@example.test;bo@example.test',
  'ada@@example.test',
  'ada byrne@example.test',
  'ada@example .test',
  '.ada@example.test',
  'ada.@example.test',
  'ad..a@example.test',
  'ada@example..test',
  'ada@-example.test',
  'ada@192.0.2.1',
  'ada@[192.0.2.1]',
  'Ada <ada@example.test>',
  'mailto:ada@example.test',
  'ada(home)@example.test',
  'ada@example.t',
  'a\u200bda@example.test',
  'ada@exam\u00adple.test',
  'ada@example.test\n',
  `${'a'.repeat(65)}@example.test`,
])('rejects %j as an email address', (text) => expect(isEmailAddress(text)).toBe(false));
