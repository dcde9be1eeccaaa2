import { describe, expect, test } from 'vitest';
import { checkParams } from '../app/guards/check-params.ts';
import { legacyRoutes, type RouteEntry, routeTable } from './route-table.ts';

const entries: Record<string, RouteEntry> = routeTable;

describe('the route table', () => {
  const general = ['authenticated', 'maintenance'];
  // Name, path, layout and guards, as specified.
  test.each([
    ['index', '/', 'default', general],
    ['login', '/login', 'authentication', ['guest', 'maintenance']],
    [
      'case-history',
      '/case-history',
      'default',
      ['authenticated', 'case-history-maintenance', 'maintenance'],
    ],
    ['documents-id', '/documents/{id}', 'default', general],
    ['documents-matter_type-group', '/documents/{matter_type}/{group}', 'default', general],
    ['milestones', '/milestones', 'default', general],
    ['payment-details', '/payment-details', 'default', general],
    ['payment-other', '/payment-other', 'default', general],
    ['payment', '/payment', 'default', general],
  ])('route %s has the specified path, layout and guards', (name, path, layout, guards) => {
    const entry = entries[name];
    expect(entry?.path.replaceAll(/:(\w+)/g, '{$1}')).toBe(path);
    expect(entry).toMatchObject({ layout, guards });
  });

  test('the route table has a check for every path parameter', () => {
    for (const [name, { path, params = {} }] of Object.entries(entries)) {
      const named = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) => parameter);
      expect(Object.keys(params), name).toEqual(named);
    }
  });

  test.each([
    ['documents-id', 'id', '0b0e7a52-4a54-4c7e-9d1b-7d7f4f8a2c11', true],
    ['documents-id', 'id', '0B0E7A52-4A54-4C7E-9D1B-7D7F4F8A2C11', false],
    ['documents-id', 'id', '1', false],
    ['documents-id', 'id', '', false],
    ['documents-matter_type-group', 'matter_type', 'transfer-of-equity', true],
    ['documents-matter_type-group', 'matter_type', 'toString', false],
    ['documents-matter_type-group', 'matter_type', 'Sale', false],
    ['documents-matter_type-group', 'group', 'after-completion', true],
    ['documents-matter_type-group', 'group', '..', false],
  ])('route %s accepts %s "%s": %s', (name, parameter, value, isAccepted) => {
    const pattern = entries[name]?.params?.[parameter] ?? '';
    const check = () => checkParams({ [parameter]: pattern }, { [parameter]: value }, '/path');
    if (isAccepted) check();
    else expect(check).toThrow();
  });

  test.each([
    ['/main/case-history/2026/11', true],
    ['/main/purchase-docs/searches', true],
    ['/main/sale-docs/secrets', false],
    ['/main/task-sign/0b0e7a52-4a54-4c7e-9d1b-7d7f4f8a2c11', true],
    ['/main/task-sign/x', false],
    ['/main/task-sign', false],
    ['/main/elsewhere', false],
  ])('lists the former path %s for the server: %s', (path, isListed) => {
    const isMatch = ({ path: route, params = {} }: Pick<RouteEntry, 'path' | 'params'>) =>
      new RegExp(
        `^${route.replace(/\*$/, '.*').replaceAll(/:(\w+)/g, (_, name) => `(${params[name]})`)}$`,
      ).test(path);
    expect(legacyRoutes.some(isMatch)).toBe(isListed);
  });
});
