import type { Maintenance } from '@keyturn/contract';
import { isRedirect } from '@tanstack/react-router';
import { afterEach, describe, expect, test } from 'vitest';
import type { Services } from '../../api/services/services.ts';
import { routeTable } from '../routing/route-table.ts';
import { InMaintenance } from './maintenance.ts';
import { runGuards } from './run-guards.ts';

const open: Maintenance = { general: null, case_history: null };
let maintenance = open;
afterEach(() => {
  maintenance = open;
});

const services = (isSignedIn: boolean) =>
  ({
    auth: { get: () => (isSignedIn ? {} : null) },
    maintenance: { get: () => maintenance },
  }) as Services;

function whereTo(
  names: readonly string[],
  isSignedIn: boolean,
  href: string,
  search: { next?: unknown } = {},
) {
  try {
    runGuards(names, { services: services(isSignedIn), href, search });
    return 'passes';
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    return thrown.options;
  }
}

describe('the guards', () => {
  test('let a signed-in client pass, and lead everybody else to sign-in and back', () => {
    expect(whereTo(['authenticated'], true, '/payment')).toBe('passes');
    expect(whereTo(['authenticated'], false, '/payment?x=1')).toMatchObject({
      to: '/login',
      search: { next: '/payment?x=1' },
    });
    expect(whereTo(['authenticated'], false, '/')).toMatchObject({ to: '/login', search: {} });
  });

  test('keep sign-in for guests, and lead the others to where they were going', () => {
    expect(whereTo(['guest'], false, '/login')).toBe('passes');
    expect(whereTo(['guest'], true, '/login')).toMatchObject({ href: '/' });
    expect(whereTo(['guest'], true, '/login', { next: '/payment' })).toMatchObject({ href: '/payment' });
    expect(whereTo(['guest'], true, '/login', { next: '//evil.example' })).toMatchObject({ href: '/' });
  });

  test('let nobody pass while all is in maintenance', () => {
    expect(whereTo(['maintenance', 'case-history-maintenance'], true, '/')).toBe('passes');
    maintenance = { general: { message: 'Back soon.', until: null }, case_history: null };
    expect(() => whereTo(['maintenance'], true, '/')).toThrow(InMaintenance);
    expect(whereTo(['case-history-maintenance'], true, '/case-history')).toBe('passes');
  });

  test('close the case history alone', () => {
    maintenance = { general: null, case_history: { message: null, until: null } };
    expect(() => whereTo(['case-history-maintenance'], true, '/case-history')).toThrow(InMaintenance);
    expect(whereTo(['maintenance'], true, '/')).toBe('passes');
  });

  test('run in their order: who is signed out comes to sign-in first', () => {
    maintenance = { general: { message: null, until: null }, case_history: null };
    expect(whereTo(['authenticated', 'maintenance'], false, '/')).toMatchObject({ to: '/login' });
  });

  test.each(['unheard-of', 'toString', '__proto__'])('refuse a name that none of them has: %s', (name) => {
    expect(() => whereTo([name], true, '/')).toThrow('Unknown route middleware');
  });

  test('are named as the routes name them', () => {
    for (const { guards } of Object.values(routeTable)) {
      expect(() => whereTo(guards, true, '/')).not.toThrow();
    }
  });
});
