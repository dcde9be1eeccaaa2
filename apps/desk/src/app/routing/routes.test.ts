import { staffRoles } from '@keyturn/contract/staff';
import { describe, expect, test } from 'vitest';
import {
  isPermitted,
  isWithin,
  navigationFor,
  routes,
  settingsFor,
  settingsPaths,
  startPathFor,
} from './routes.ts';

describe('the routes of the desk', () => {
  test('the routes of the desk have one page for each address', () => {
    const paths = routes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  test('the routes of the desk lead each role only to pages that it may open', () => {
    for (const role of staffRoles) {
      for (const to of [startPathFor(role), ...navigationFor(role).map((item) => item.to)]) {
        const route = routes.find(({ path }) => path === to);
        expect(route && isPermitted(route, role), `${role} at ${to}`).toBe(true);
      }
    }
  });

  test('the routes of the desk have a different key for each item of the navigation', () => {
    const keys = navigationFor('admin').map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('the routes of the desk list each page of the settings in its navigation', () => {
    const pages = routes.map(({ path }) => path).filter((path) => /^\/settings\/[^:]+$/.test(path));
    expect(pages.sort()).toEqual([...settingsPaths].sort());
  });

  test('the routes of the desk show staff members only in the settings of admins', () => {
    expect(settingsFor('admin').map(({ path }) => path)).toContain('/settings/staff');
    for (const role of ['handler', 'finance'] as const)
      expect(settingsFor(role).map(({ path }) => path)).not.toContain('/settings/staff');
  });

  test('the routes of the desk mark a navigation item as current on the pages below it', () => {
    expect(isWithin('/cases/AF-1', '/cases')).toBe(true);
    expect(isWithin('/casework', '/cases')).toBe(false);
    expect(isWithin('/cases', '/')).toBe(false);
  });
});
