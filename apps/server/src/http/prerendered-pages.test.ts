import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { readPrerendered } from './prerendered-pages.ts';

const directory = mkdtempSync(join(tmpdir(), 'keyturn-prerendered-'));
mkdirSync(join(directory, '.prerendered'));
writeFileSync(
  join(directory, '.prerendered', 'pages.json'),
  JSON.stringify({
    routes: ['/', '/login', '/documents/$id', '/main/$'],
    pages: [
      { name: '/login', shape: [], html: '{{brand}}' },
      { name: '/login', shape: ['firm'], html: '{{brand}} {{phone}} {{phone_digits}}' },
      { name: '/login', shape: ['kind', 'firm', 'demonstration'], html: '{{brand}}/{{brand_kind}}!' },
      { name: '404', shape: [], html: 'no {{path}}' },
      { name: '503', shape: [], html: 'closed' },
      { name: '503', shape: ['message'], html: 'closed: {{message}}' },
    ],
    preloads: { screens: '<s>', start: '<h>' },
  }),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const firm = { name: 'A <& B', phone: '0117 496 0101', opening_hours: '' };
const config = (more: object = {}) =>
  ({
    product_name: 'Keyturn',
    firm: null,
    demonstration: false,
    maintenance: { general: null },
    ...more,
  }) as PublicConfig;

describe('what the build has rendered', () => {
  test('is filled with what this firm is, as text and never as markup', async () => {
    const { find } = await readPrerendered(directory);
    expect(find('/login', config())?.html).toBe('Keyturn');
    expect(find('/login', config({ firm }))?.html).toBe('A &#60;&#38; B 0117 496 0101 01174960101');
    const named = { ...firm, name: 'Alder & Finch Conveyancing' };
    expect(find('/login', config({ firm: named, demonstration: true }))?.html).toBe(
      'Alder &#38; Finch/Conveyancing!',
    );
  });

  test.each([
    ['/', null],
    ['/documents/x', null],
    ['/main/any/thing', null],
    ['/LOGIN/', null],
    ['/nowhere', { name: '404', status: 404, html: 'no /nowhere' }],
    ['/documents/x/y/z', { name: '404', status: 404, html: 'no /documents/x/y/z' }],
    ['/%3Cb%3E', { name: '404', status: 404, html: '' }],
  ])('for %s is %j', async (path, expected) => {
    const { find } = await readPrerendered(directory);
    expect(find(path, config())).toEqual(expected);
  });

  test('is the page of maintenance for every screen, with the words of the firm', async () => {
    const { find } = await readPrerendered(directory);
    const closed = (message: string | null) => config({ maintenance: { general: { message, until: null } } });
    expect(find('/', closed('<b>'))).toEqual({ name: '503', status: 503, html: 'closed: &#60;b&#62;' });
    expect(find('/login', closed(null))?.html).toBe('closed');
    expect(find('/nowhere', closed(null))?.status).toBe(404);
  });

  test('is nothing where the build has rendered nothing', async () => {
    const { find, preloads } = await readPrerendered(join(directory, 'gone'));
    expect(find('/login', config())).toBeNull();
    expect(preloads('/')).toBe('');
  });
});
