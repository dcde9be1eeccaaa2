import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Button } from '../base/button.tsx';
import { AuthenticatorSecret } from './authenticator-secret.tsx';

test('the secret of an authenticator app opens in an app on the same phone, and can be copied', () => {
  const uri = 'otpauth://totp/Keyturn:amelia@example.test?secret=KEYTURN2KEYTURN3&issuer=Keyturn';
  const html = renderToStaticMarkup(
    <AuthenticatorSecret Button={Button} secret="KEYTURN2KEYTURN3" uri={uri} />,
  );
  expect(html).toContain(`<a href="${uri.replaceAll('&', '&amp;')}">Open it in the app on this device</a>`);
  expect(html).toMatch(/<code[^>]*>\w{4} \w{4} \w{4} \w{4}</);
  expect(html).toContain('Copy the secret');
});
