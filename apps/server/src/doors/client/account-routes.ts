import type { CallKey } from '@keyturn/contract';
import type { CallHandlers, CallRequest } from '../../http/call-handlers.ts';
import {
  assertMayAddFactor,
  assertSteppedUp,
  findOwner,
} from '../../people/clients/account/account-owner.ts';
import { type AccountDependencies, changePassword } from '../../people/clients/account/change-password.ts';
import { changePhone } from '../../people/clients/account/change-phone.ts';
import { readAccount } from '../../people/clients/account/read-account.ts';
import { cancelEmailChange, startEmailChange } from '../../people/clients/email-change/change-email.ts';
import { confirmEmailChange, stopEmailChange } from '../../people/clients/email-change/use-change-link.ts';
import {
  activateAuthenticator,
  startAuthenticator,
} from '../../people/credentials/factors/authenticators.ts';
import { confirmWithCode } from '../../people/credentials/factors/confirm-identity.ts';
import type { FactorOwner } from '../../people/credentials/factors/factor-rules.ts';
import { removeFactor, renameFactor, renewRecoveryCodes } from '../../people/credentials/factors/factors.ts';
import {
  addPasskey,
  confirmWithPasskey,
  startPasskey,
  startPasskeyConfirmation,
} from '../../people/credentials/factors/passkeys.ts';
import { deviceLifetime } from '../../people/credentials/known-devices.ts';
import { useLink } from '../../people/credentials/limit-links.ts';
import { DomainError } from '../../platform/domain-error.ts';

type AccountCalls = Extract<CallKey, `${string} /${'account' | 'email-change'}${string}`>;
type AccountRequest = Pick<CallRequest<'GET /account'>, 'client' | 'address'>;

/** Returns the handlers of the calls about the caller’s own account. */
export function accountRoutes(dependencies: AccountDependencies): CallHandlers<AccountCalls> {
  const owner = (request: AccountRequest) => findOwner(dependencies.database, request);
  /** The owner, for a change of how they sign in or are reached. */
  const confirmedOwner = async (request: AccountRequest): Promise<FactorOwner> => {
    await assertSteppedUp(dependencies, request.client.sessionHash);
    return owner(request);
  };
  const addingOwner = async (request: AccountRequest): Promise<FactorOwner> => {
    await assertMayAddFactor(dependencies, request.client);
    return owner(request);
  };
  const changeByLink = <Result>(
    change: (dependencies: AccountDependencies, link: { token: string; address: string }) => Promise<Result>,
    { body: { token }, address }: { body: { token: string }; address: string },
  ): Promise<Result> =>
    useLink(dependencies.throttle, { accountKind: 'client', token, address }, () =>
      change(dependencies, { token, address }),
    );
  return {
    'GET /account': async (request) => readAccount(dependencies, await owner(request)),
    'PUT /account/password': async (request) => {
      const { current_password: currentPassword, password } = request.body;
      const sent = { currentPassword, password, device: request.device.token };
      const device = await changePassword(dependencies, await owner(request), sent);
      request.device.remember(device, deviceLifetime);
      return undefined;
    },
    'POST /account/confirm': async (request) => {
      const { code, password } = request.body;
      if ((code === undefined) === (password === undefined))
        throw new DomainError('invalid_input', { errors: { code: ['give either a code or a password'] } });
      await confirmWithCode(dependencies, await owner(request), { code, password });
      return undefined;
    },
    'POST /account/confirm/options': async (request) => ({
      options: await startPasskeyConfirmation(dependencies, await owner(request), request.origin),
    }),
    'POST /account/confirm/passkey': async (request) => {
      const sent = { credential: request.body.credential, origin: request.origin };
      await confirmWithPasskey(dependencies, await owner(request), sent);
      return undefined;
    },
    'POST /account/authenticators': async (request) =>
      startAuthenticator(dependencies, await addingOwner(request)),
    'POST /account/authenticators/{id}/activate': async (request) =>
      activateAuthenticator(dependencies, await addingOwner(request), {
        ...request.params,
        ...request.body,
      }),
    'POST /account/passkeys/options': async (request) => ({
      options: await startPasskey(dependencies, await addingOwner(request), request.origin),
    }),
    'POST /account/passkeys': async (request) =>
      addPasskey(dependencies, await addingOwner(request), { ...request.body, origin: request.origin }),
    'PUT /account/factors/{id}': async (request) =>
      renameFactor(dependencies, await confirmedOwner(request), { ...request.params, ...request.body }),
    'DELETE /account/factors/{id}': async (request) => {
      await removeFactor(dependencies, await confirmedOwner(request), request.params.id);
      return undefined;
    },
    'POST /account/email': async (request) => {
      const changing = await confirmedOwner(request);
      await startEmailChange(dependencies, changing, request.body.email);
      return readAccount(dependencies, changing);
    },
    'DELETE /account/email': async (request) => {
      const changing = await owner(request);
      await cancelEmailChange(dependencies, changing);
      return readAccount(dependencies, changing);
    },
    'PUT /account/phone': async (request) => {
      const changing = await confirmedOwner(request);
      await changePhone(dependencies, changing, request.body.phone);
      return readAccount(dependencies, changing);
    },
    'POST /email-change/confirm': (request) => changeByLink(confirmEmailChange, request),
    'POST /email-change/stop': (request) => changeByLink(stopEmailChange, request),
    'POST /account/recovery-codes': async (request) => ({
      recovery_codes: await renewRecoveryCodes(dependencies, await confirmedOwner(request)),
    }),
  };
}
