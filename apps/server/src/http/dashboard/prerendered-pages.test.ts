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
    routes: ['/', '/login', '/forgot-password', '/documents/$id', '/main/$'],
    pages: [
      { name: '/', shape: [], html: 'a frame' },
      { name: '/', shape: ['firm'], html: 'a frame of {{address}}, {{sra_number}}' },
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
const config = (more: object = {}) =>
  ({
    product_name: 'Keyturn',
    firm: null,
    demonstration: false,
    maintenance: { general: null },
    ...more,
  }) as PublicConfig;
const own = { name: null, status: 200, html: '', isWhole: false };

describe('what the build has rendered', () => {
  test('is filled with what this firm is, as text and never as markup', async () => {
    const prepare = await readPrerenderedPages(directory);
    expect(prepare('/login', config()).html).toBe('Keyturn');
    expect(prepare('/login', config({ firm })).html).toBe('A &#60;&#38; B 0117 496 0101 01174960101');
    const named = { ...firm, name: 'Alder & Finch Conveyancing' };
    expect(prepare('/login', config({ firm: named, demonstration: true })).html).toBe(
      'Alder &#38; Finch/Conveyancing!',
    );
    expect(prepare('/', config({ firm })).html).toBe('a frame of 1 Lane, Town, 7');
  });

  test.each([
    ['/', { name: '/', status: 200, html: 'a frame', isWhole: false, links: '<s><h>' }],
    ['/login', { name: '/login', status: 200, html: 'Keyturn', isWhole: true, links: '' }],
    ['/forgot-password', { ...own, links: '' }],
    ['/documents/x', { ...own, links: '<s>' }],
    ['/main/any/thing', { ...own, links: '<s>' }],
    ['/LOGIN/', { ...own, links: '' }],
    ['/nowhere', { name: '404', status: 404, html: 'no /nowhere', isWhole: true, links: '' }],
    ['/documents/x/y/z', { name: '404', status: 404, html: 'no /documents/x/y/z', isWhole: true, links: '' }],
    ['/%3Cb%3E', { name: '404', status: 404, html: '', isWhole: false, links: '' }],
  ])('for %s is %j', async (path, expected) => {
    const prepare = await readPrerenderedPages(directory);
    expect(prepare(path, config())).toEqual(expected);
  });

  test('is the page of maintenance for every screen, with the words of the firm', async () => {
    const prepare = await readPrerenderedPages(directory);
    const closed = (message: string | null) => config({ maintenance: { general: { message, until: null } } });
    expect(prepare('/', closed('<b>'))).toEqual({
      name: '503',
      status: 503,
      html: 'closed: &#60;b&#62;',
      isWhole: true,
      links: '',
    });
    expect(prepare('/login', closed(null)).html).toBe('closed');
    const until = '2030-07-02T13:00:00.000Z';
    expect(prepare('/', config({ maintenance: { general: { message: null, until } } })).html).toBe(
      `closed until 2:00 pm on Tuesday 2 July 2030 (${until})`,
    );
    expect(prepare('/nowhere', closed(null)).status).toBe(404);
  });

  test('is nothing where the build has rendered nothing', async () => {
    const prepare = await readPrerenderedPages(join(directory, 'gone'));
    for (const path of ['/', '/login', '/nowhere'])
      expect(prepare(path, config())).toEqual({ ...own, links: '' });
  });
});
