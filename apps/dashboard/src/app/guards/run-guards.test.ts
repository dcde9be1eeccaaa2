import type { Maintenance } from '@keyturn/contract';
import { afterEach, describe, expect, test } from 'vitest';
import type { Services } from '../../api/services/services.ts';
import { Redirect } from '../../navigation/outcomes.ts';
import { routeTable } from '../../navigation/route-table.ts';
import { MaintenanceError } from './maintenance.ts';
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

function outcomeOf(
  names: readonly string[],
  isSignedIn: boolean,
  href: string,
  search: { next?: unknown } = {},
) {
  try {
    runGuards(names, { services: services(isSignedIn), href, search });
    return 'passes';
  } catch (thrown) {
    if (!(thrown instanceof Redirect)) throw thrown;
    return `to ${thrown.href}`;
  }
}

describe('route guards', () => {
  test('route guards send signed-out clients to sign-in and back', () => {
    expect(outcomeOf(['authenticated'], true, '/payment')).toBe('passes');
    expect(outcomeOf(['authenticated'], false, '/payment?x=1')).toBe('to /login?next=%2Fpayment%3Fx%3D1');
    expect(outcomeOf(['authenticated'], false, '/')).toBe('to /login');
  });

  test('route guards send signed-in clients past the sign-in page to the requested page', () => {
    expect(outcomeOf(['guest'], false, '/login')).toBe('passes');
    expect(outcomeOf(['guest'], true, '/login')).toBe('to /');
    expect(outcomeOf(['guest'], true, '/login', { next: '/payment' })).toBe('to /payment');
    expect(outcomeOf(['guest'], true, '/login', { next: '//evil.example' })).toBe('to /');
  });

  test('route guards stop every navigation while the dashboard is in maintenance', () => {
    expect(outcomeOf(['maintenance', 'case-history-maintenance'], true, '/')).toBe('passes');
    maintenance = { general: { message: 'Back soon.', until: null }, case_history: null };
    expect(() => outcomeOf(['maintenance'], true, '/')).toThrow(MaintenanceError);
    expect(outcomeOf(['case-history-maintenance'], true, '/case-history')).toBe('passes');
  });

  test('route guards stop only the case history while it is in maintenance', () => {
    maintenance = { general: null, case_history: { message: null, until: null } };
    expect(() => outcomeOf(['case-history-maintenance'], true, '/case-history')).toThrow(MaintenanceError);
    expect(outcomeOf(['maintenance'], true, '/')).toBe('passes');
  });

  test('route guards run in order: a signed-out client goes to sign-in even during maintenance', () => {
    maintenance = { general: { message: null, until: null }, case_history: null };
    expect(outcomeOf(['authenticated', 'maintenance'], false, '/')).toBe('to /login');
  });

  test.each(['unknown', 'toString', '__proto__'])('route guards reject the unknown guard name %s', (name) => {
    expect(() => outcomeOf([name], true, '/')).toThrow('Unknown route middleware');
  });

  test('route guards exist for every guard name in the route table', () => {
    for (const { guards } of Object.values(routeTable)) {
      expect(() => outcomeOf(guards, true, '/')).not.toThrow();
    }
  });
});
