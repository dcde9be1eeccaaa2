import { measureSlowness } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { checkNewPassword as check } from './check-new-password.ts';

const tooCommon = ['This password is too common or too easy to guess. Please choose another.'];

const checkNewPassword = (password: string) => check(password, { hasSecondFactor: true });

describe('new password', () => {
  test.each([
    'turn-the-key-2026',
    'correct horse battery staple',
    'Möbel kaufen wir später',
    'мой дом стоит у моря',
    '我家门前有一棵很高的老树',
    '🔑🏡🌳🚪🪟🛋️🖼️🧱🪜🧹🪴',
    'ftcWx8-92kQ1',
    'a sentence that only its owner would think of, with a comma',
    `${'The longest that may be: '.repeat(5)}abc`,
  ])('the password %j is accepted', (password) => {
    expect(checkNewPassword(password)).toEqual([]);
  });

  test.each([
    'password1234',
    'Password1234!',
    'P@ssw0rd1234',
    'passwordpassword',
    'PASSWORD-PASSWORD',
    'p a s s w o r d 1 2 3',
    'qwertyuiop123',
    '1qaz2wsx3edc',
    '1q2w3e4r5t6y',
    '123456789012',
    'abcdefghijkl',
    'aaaaaaaaaaaa',
    'iloveyou1234',
    'letmeinletmein',
    'administrator',
    'michaeljackson',
    'welcome12345',
    'zxcvbnm,./zxcvbnm,./',
  ])('the password %j is rejected as common', (password) => {
    expect(checkNewPassword(password)).toEqual(tooCommon);
  });

  // cspell:disable-next-line
  test.each(['Vjnjhlbyfvj12', 'VJLTV1ENIVAD1232'])(
    'the password %j is rejected, because it is in stolen data',
    (password) => {
      expect(checkNewPassword(password)).toEqual([
        'This password is in lists of stolen passwords, which attackers try first. Please choose another.',
      ]);
    },
  );

  test('a new password has 12 to 128 code points', () => {
    expect(checkNewPassword('')).toEqual(['Please use at least 12 characters.']);
    expect(checkNewPassword('ftcWx8-92kQ')).toEqual(['Please use at least 12 characters.']);
    expect(checkNewPassword('🔑🏡🌳🚪🧱🧹')).toEqual(['Please use at least 12 characters.']);
    const long = 'zw8 🔑'.repeat(40);
    expect(checkNewPassword([...long].slice(0, 128).join(''))).toEqual([]);
    expect(checkNewPassword([...long].slice(0, 129).join(''))).toEqual([
      'Please use at most 128 characters.',
    ]);
  });

  test('a new password has at least 15 code points without a second factor', () => {
    const alone = (password: string) => check(password, { hasSecondFactor: false });
    expect(alone('ftcWx8-92kQ1zu')).toEqual(['Please use at least 15 characters.']);
    expect(alone('ftcWx8-92kQ1zuw')).toEqual([]);
    expect(alone('turn-the-key-2026')).toEqual([]);
  });

  test('a password of a megabyte is rejected immediately', () => {
    const begun = performance.now();
    expect(checkNewPassword('k'.repeat(1_000_000))).toEqual(['Please use at most 128 characters.']);
    expect(performance.now() - begun).toBeLessThan(500 * measureSlowness());
  });

  test('a new password contains only characters that a keyboard can type', () => {
    const problem = ['This password has characters that cannot be typed.'];
    expect(checkNewPassword('turn-the-key\0-2026')).toEqual(problem);
    expect(checkNewPassword('turn-the-key\ud83d-2026')).toEqual(problem);
  });
});
