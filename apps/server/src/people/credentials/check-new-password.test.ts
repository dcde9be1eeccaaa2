import { measureSlowness } from '@keyturn/testkit';
import { describe, expect, test } from 'vitest';
import { checkNewPassword as check } from './check-new-password.ts';
import { createPasswords } from './passwords.ts';

const tooCommon = ['This password is too common or too easy to guess. Please choose another.'];

const passwords = createPasswords();
const checkNewPassword = (password: string, personal: string[] = []) =>
  check(passwords, password, { hasSecondFactor: true, personal });

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
  ])('the password %j is accepted', async (password) => {
    expect(await checkNewPassword(password)).toEqual([]);
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
  ])('the password %j is rejected as common', async (password) => {
    expect(await checkNewPassword(password)).toEqual(tooCommon);
  });

  // cspell:disable-next-line
  test.each(['Vjnjhlbyfvj12', 'VJLTV1ENIVAD1232'])(
    'the password %j is rejected, because it is in stolen data',
    async (password) => {
      expect(await checkNewPassword(password)).toEqual([
        'This password is in lists of stolen passwords, which attackers try first. Please choose another.',
      ]);
    },
  );

  test('a new password has 12 to 128 code points', async () => {
    expect(await checkNewPassword('')).toEqual(['Please use at least 12 characters.']);
    expect(await checkNewPassword('ftcWx8-92kQ')).toEqual(['Please use at least 12 characters.']);
    expect(await checkNewPassword('🔑🏡🌳🚪🧱🧹')).toEqual(['Please use at least 12 characters.']);
    const long = 'zw8 🔑'.repeat(40);
    expect(await checkNewPassword([...long].slice(0, 128).join(''))).toEqual([]);
    expect(await checkNewPassword([...long].slice(0, 129).join(''))).toEqual([
      'Please use at most 128 characters.',
    ]);
  });

  test('a new password has at least 15 code points without a second factor', async () => {
    const alone = (password: string) => check(passwords, password, { hasSecondFactor: false, personal: [] });
    expect(await alone('ftcWx8-92kQ1zu')).toEqual(['Please use at least 15 characters.']);
    expect(await alone('ftcWx8-92kQ1zuw')).toEqual([]);
    expect(await alone('turn-the-key-2026')).toEqual([]);
  });

  test.each([
    'amelia.hart@example.test',
    'amelia.hart!!!',
    'AmeliaHart123',
    'Hart, Amelia!',
    '4melia-h4rt1',
    'HartHart-2026',
    'BRB-2026-0417',
    'brb 2026 0417',
    'amélia-hart-12',
  ])('rejects %j, which is close to the client’s name, email address or case reference', async (password) => {
    const personal = ['Amelia.Hart@example.test', 'Amelia Hart', 'BRB-2026-0417'];
    expect(await checkNewPassword(password, personal)).toEqual([
      'This password is too similar to your name, your email address or a reference that other people know. Please choose another.',
    ]);
  });

  test('a password with a name in a longer phrase is accepted', async () => {
    expect(await checkNewPassword('Hart paints the kettle on Tuesdays', ['Amelia Hart'])).toEqual([]);
  });

  test('only the first 64 characters of a password are examined, so that a long one costs no more', async () => {
    const weak = 'p@$$w0rd'.repeat(8);
    const strong = 'ftcWx8-92kQ1zu-vB7mLs0-Ryh4Tn';
    expect(await checkNewPassword(strong + weak)).toEqual([]);
    expect(await checkNewPassword(weak + strong)).toEqual(tooCommon);
  });

  test('a password of a megabyte is rejected immediately', async () => {
    const begun = performance.now();
    expect(await checkNewPassword('k'.repeat(1_000_000))).toEqual(['Please use at most 128 characters.']);
    expect(performance.now() - begun).toBeLessThan(500 * measureSlowness());
  });

  test('a new password contains only characters that a keyboard can type', async () => {
    const problem = ['This password has characters that cannot be typed.'];
    expect(await checkNewPassword('turn-the-key\0-2026')).toEqual(problem);
    expect(await checkNewPassword('turn-the-key\ud83d-2026')).toEqual(problem);
  });
});
