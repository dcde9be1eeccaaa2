import { describe, expect, test, vi } from 'vitest';
import { caseFixture, clientFixture } from '../../../fixtures/entities.ts';
import { createFakeBrowser, openFakeState } from '../../../fixtures/fake-browser.ts';
import { createCaseStore } from '../case/case-store.ts';
import type { Call } from '../client/call.ts';
import { createAuthStore } from './auth-store.ts';

import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

const accessToken = { access_token: 'secret', token_type: 'Bearer', expires_in: 3600 };

function services(call: (key: string, input: unknown) => Promise<unknown>) {
  const persisted = openFakeState('local', createFakeBrowser().openTab());
  const auth = createAuthStore(persisted);
  return { persisted, auth, caseState: createCaseStore(persisted, auth), call: call as Call };
}

describe('signing in and out', () => {
  test('a sign-in with a token stores it', async () => {
    const made = services(async () => accessToken);
    await signIn(made, { email: 'amelia@example.test', password: 'turn-the-key-2026' });
    expect(made.auth.credential()).toBe('Bearer secret');
  });

  test('a rejected sign-in stores nothing', async () => {
    const made = services(() => Promise.reject(new Error('refused')));
    await expect(signIn(made, { email: 'a', password: 'b' })).rejects.toThrow('refused');
    expect(made.auth.get()).toBeNull();
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no'))],
    ['hangs', () => new Promise(() => {})],
  ])('a sign-out with a call that %s clears everything immediately', (_, answer) => {
    const call = vi.fn(answer);
    const made = services(call);
    made.auth.signIn({ ...accessToken, token_type: 'Bearer' });
    made.auth.setClient(clientFixture());
    made.caseState.setConveyancingCase(caseFixture());
    signOut(made);
    expect(made.auth.get()).toBeNull();
    expect(made.persisted.read('case')).toBeUndefined();
    expect(made.caseState.get()).toMatchObject({
      conveyancingCase: null,
      caseSearches: [],
      caseSearchId: null,
    });
    expect(call).toHaveBeenCalledExactlyOnceWith('POST /logout', {
      credential: 'Bearer secret',
      keepalive: true,
    });
  });

  test('a sign-out without a sign-in makes no call', () => {
    const call = vi.fn(async () => undefined);
    signOut(services(call));
    expect(call).not.toHaveBeenCalled();
  });
});
