import { expect, test } from 'vitest';
import { clientFixture } from '../../../../fixtures/entities.ts';
import { renderScreen } from '../../../../fixtures/render-screen.tsx';
import type { SignOutReason } from '../../../api/session/auth-store.ts';
import SignInPage from './sign-in-page.tsx';

const htmlAfter = (reason: SignOutReason) =>
  renderScreen('/login', <SignInPage />, { client: clientFixture(), signedOut: reason });

test.each(['idle', 'expired'] as const)(
  'the sign-in page keeps the email address of a client whose session ended: %s',
  (reason) => {
    expect(htmlAfter(reason)).toContain('value="amelia@example.test"');
  },
);

test.each(['signed_out', 'other_tab'] as const)(
  'the sign-in page is empty after a client has signed out: %s',
  (reason) => {
    expect(htmlAfter(reason)).not.toContain('amelia@example.test');
  },
);
