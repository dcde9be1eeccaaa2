import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { readPrerenderedPages } from './prerendered-pages.ts';

const directory = mkdtempSync(join(tmpdir(), 'keyturn-prerendered-'));
mkdirSync(join(directory, '.prerendered'));
writeFileSync(
  join(directory, '.prerendered', 'pages.json'),
  JSON.stringify({
    titles: { '/': 'Your case', '/login': 'Sign in', '404': 'Not Found', '503': 'Closed' },
    routes: [
      { path: '/' },
      { path: '/login' },
      { path: '/forgot-password' },
      { path: '/documents/:id', params: { id: '[0-9a-f]{4}' } },
      { path: '/documents/:matter_type/:group', params: { matter_type: 'sale|purchase', group: 'contract' } },
      { path: '/main/case-history/*' },
      { path: '/main/sale-docs/:group', params: { group: 'contract' } },
    ],
    pages: [
      { name: '/', shape: [], html: 'a frame' },
      { name: '/', shape: ['firm'], html: 'a frame of {{address}}. {{regulated_by}}' },
      { name: '/login', shape: [], html: '{{brand}}' },
      { name: '/login', shape: ['firm'], html: '{{brand}} {{phone}} {{phone_digits}}' },
      { name: '/login', shape: ['kind', 'firm', 'demonstration'], html: '{{brand}}/{{brand_kind}}!' },
      { name: '404', shape: [], html: 'no {{path}}' },
      { name: '503', shape: [], html: 'closed' },
      { name: '503', shape: ['message'], html: 'closed: {{message}}' },
      { name: '503', shape: ['until'], html: 'closed until {{until_words}} ({{until}})' },
    ],
    preloads: { screens: '<s>', start: '<h>' },
  }),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const firm = {
  name: 'A <& B',
  phone: '0117 496 0101',
  opening_hours: '',
  address: ['1 Lane', 'Town'],
  sra_number: '7',
};
const config = (overrides: object = {}) =>
  ({
    product_name: 'Keyturn',
    firm: null,
    demonstration: false,
    maintenance: { general: null },
    ...overrides,
  }) as PublicConfig;
const emptyContent = { name: null, status: 200, title: null, html: '', isComplete: false };

describe('prerendered pages', () => {
  test('fault 60: fills in the firm’s details as escaped text', async () => {
    const findContent = await readPrerenderedPages(directory);
    expect(findContent('/login', config()).html).toBe('Keyturn');
    expect(findContent('/login', config({ firm })).html).toBe('A &#60;&#38; B 0117 496 0101 01174960101');
    const named = { ...firm, name: 'Alder & Finch Conveyancing' };
    expect(findContent('/login', config({ firm: named, demonstration: true })).html).toBe(
      'Alder &#38; Finch/Conveyancing!',
    );
  });

  test('names the regulator of the firm in the frame of the home page', async () => {
    const findContent = await readPrerenderedPages(directory);
    const regulated_by = 'Regulated by the Council for Licensed Conveyancers (practice number 7).';
    expect(findContent('/', config({ firm, regulated_by })).html).toBe(
      `a frame of 1 Lane, Town. ${regulated_by}`,
    );
  });

  test.each([
    [
      '/',
      {
        name: '/',
        status: 200,
        title: 'Your case',
        html: 'a frame',
        isComplete: false,
        preloadLinks: '<s><h>',
      },
    ],
    [
      '/login',
      { name: '/login', status: 200, title: 'Sign in', html: 'Keyturn', isComplete: true, preloadLinks: '' },
    ],
    ['/forgot-password', { ...emptyContent, preloadLinks: '' }],
    ['/documents/0a1b', { ...emptyContent, preloadLinks: '<s>' }],
    ['/documents/0A1B', { ...emptyContent, status: 404, preloadLinks: '<s>' }],
    ['/documents/x', { ...emptyContent, status: 404, preloadLinks: '<s>' }],
    ['/Documents/sale/contract/', { ...emptyContent, preloadLinks: '<s>' }],
    ['/documents/%73ale/contract', { ...emptyContent, preloadLinks: '<s>' }],
    ['/documents/Sale/contract', { ...emptyContent, status: 404, preloadLinks: '<s>' }],
    ['/documents/sale/secrets', { ...emptyContent, status: 404, preloadLinks: '<s>' }],
    ['/main/case-history/any/thing', { ...emptyContent, preloadLinks: '<s>' }],
    ['/main/sale-docs/contract', { ...emptyContent, preloadLinks: '<s>' }],
    ['/main/sale-docs/unknown', { ...emptyContent, status: 404, preloadLinks: '<s>' }],
    ['/LOGIN/', { ...emptyContent, preloadLinks: '' }],
    [
      '/nowhere',
      {
        name: '404',
        status: 404,
        title: 'Not Found',
        html: 'no /nowhere',
        isComplete: true,
        preloadLinks: '',
      },
    ],
    [
      '/documents/x/y/z',
      {
        name: '404',
        status: 404,
        title: 'Not Found',
        html: 'no /documents/x/y/z',
        isComplete: true,
        preloadLinks: '',
      },
    ],
    [
      '/%3Cb%3E',
      { name: '404', status: 404, title: 'Not Found', html: '', isComplete: false, preloadLinks: '' },
    ],
  ])('finds the content for %s: %j', async (path, expected) => {
    const findContent = await readPrerenderedPages(directory);
    expect(findContent(path, config())).toEqual(expected);
  });

  test.each([
    `/documents/${encodeURIComponent('../../etc/passwd')}`,
    `/documents/sale/${encodeURIComponent('../../etc/passwd')}`,
    '/documents/..%5c/contract',
    `/documents/sale/${encodeURIComponent('\\\\host\\share')}`,
    '/documents/sale/contract%00',
    `/documents/sale/${encodeURIComponent('．．／')}`,
    '/documents/sale/../contract',
  ])('fault 62: answers %s, which has a path instead of an id or a group, with 404', async (path) => {
    const findContent = await readPrerenderedPages(directory);
    expect(findContent(path, config()).status).toBe(404);
  });

  test('shows the maintenance page, with the firm’s message, for every screen', async () => {
    const findContent = await readPrerenderedPages(directory);
    const inMaintenance = (message: string | null) =>
      config({ maintenance: { general: { message, until: null } } });
    expect(findContent('/', inMaintenance('<b>'))).toEqual({
      name: '503',
      status: 503,
      title: 'Closed',
      html: 'closed: &#60;b&#62;',
      isComplete: true,
      preloadLinks: '',
    });
    expect(findContent('/login', inMaintenance(null)).html).toBe('closed');
    const until = '2030-07-02T13:00:00.000Z';
    expect(findContent('/', config({ maintenance: { general: { message: null, until } } })).html).toBe(
      `closed until 2:00 pm on Tuesday 2 July 2030 (${until})`,
    );
    expect(findContent('/nowhere', inMaintenance(null)).status).toBe(404);
  });

  test('returns empty content if the build has no prerendered pages', async () => {
    const findContent = await readPrerenderedPages(join(directory, 'missing'));
    for (const path of ['/', '/login', '/nowhere'])
      expect(findContent(path, config())).toEqual({ ...emptyContent, preloadLinks: '' });
  });
});
