import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import { splitFirmName } from '../platform/split-firm-name.ts';

/** What goes into the page of the dashboard in advance, and the status that it is sent with. */
export interface PrerenderedRoot {
  /** A path, or the status whose error page it is: the dashboard reads it from the page. */
  name: string;
  status: number;
  /** For inside of `#root`. */
  html: string;
}

export interface Prerendered {
  /** What the build has rendered for a path. Null: nothing, the page is the dashboard's own to draw. */
  find(path: string, config: PublicConfig): PrerenderedRoot | null;
  /** Links for the head of a page without it: what the screen of the path needs besides what all pages name. */
  preloads(path: string): string;
}

/** Reads what the build has rendered; a build without it renders nothing in advance. */
export async function readPrerendered(directory: string): Promise<Prerendered> {
  const text = await readFile(join(directory, '.prerendered', 'pages.json'), 'utf8').catch(() => null);
  if (text === null) return { find: () => null, preloads: () => '' };
  const { routes, pages, preloads } = JSON.parse(text) as {
    routes: string[];
    pages: { name: string; shape: string[]; html: string }[];
    preloads: { screens: string; start: string };
  };
  const screens = routes.map(asPattern);
  const isScreen = (path: string) => screens.some((screen) => screen.test(path));
  const fill = (name: string, config: PublicConfig, more: Marks = {}) => {
    const { shape, marks } = shownOf(config);
    const wanted = (found: { name: string; shape: string[] }) =>
      found.name === name && found.shape.every((part) => shape.has(part) || part in more);
    // Those that fit, and of them the one that shows the most.
    const [page] = pages.filter(wanted).sort((one, other) => other.shape.length - one.shape.length);
    return page ? fillIn(page.html, { ...marks, ...more }) : null;
  };
  const asRoot = (name: string, status: number, html: string | null) =>
    html === null ? null : { name, status, html };

  const find = (path: string, config: PublicConfig) => {
    if (!isScreen(path)) {
      // What is not plain the browser may write in another way.
      const html = /^\/[\w./-]*$/.test(path) ? fill('404', config, { path }) : '';
      return asRoot('404', 404, html);
    }
    const notice = config.maintenance?.general;
    if (notice) {
      return asRoot('503', 503, fill('503', config, notice.message ? { message: notice.message } : {}));
    }
    return path === '/login' ? asRoot('/login', 200, fill('/login', config)) : null;
  };
  return {
    find,
    preloads: (path) => {
      if (path === '/') return preloads.screens + preloads.start;
      return forGuests.test(path) ? '' : preloads.screens;
    },
  };
}

const forGuests = /^\/(login|forgot-password|reset-password)(\/|$)/i;

type Marks = Record<string, string>;

/** `/documents/$id` matches one part of a path for the parameter, and `/main/$` whatever follows. */
const asPattern = (route: string) =>
  new RegExp(`^${route.replace(/\$$/, '.*').replaceAll(/\$\w+/g, '[^/]+')}/?$`, 'i');

function shownOf({ product_name, firm, demonstration }: PublicConfig) {
  const { first, kind } = splitFirmName(firm?.name ?? product_name);
  const shape = new Set([
    ...(kind ? ['kind'] : []),
    ...(firm ? ['firm'] : []),
    ...(demonstration ? ['demonstration'] : []),
  ]);
  const marks: Marks = {
    brand: first,
    brand_kind: kind ?? '',
    phone: firm?.phone ?? '',
    phone_digits: firm?.phone.replaceAll(/[^\d+]/g, '') ?? '',
    opening_hours: firm?.opening_hours ?? '',
  };
  return { shape, marks };
}

const fillIn = (html: string, marks: Marks) =>
  html.replace(/\{\{(\w+)\}\}/g, (_mark, name: string) => escapeHtml(marks[name] ?? ''));

/** For text and for the value of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
