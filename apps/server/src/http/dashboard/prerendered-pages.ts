import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import { splitFirmName } from '@keyturn/format/firm-name';
import { formatLondonMoment } from '../../platform/london-time.ts';

/** What goes into the page of the dashboard in advance, and the status that it is sent with. */
export interface PrerenderedContent {
  /** A path, or the status whose error page it is: the dashboard reads it from the page. Null: none of these. */
  name: string | null;
  status: number;
  /** For inside of `#root`; empty where the page is the dashboard's own to draw. */
  html: string;
  /** Whether that is all of the screen, and not what stands there until the client's own comes. */
  isWhole: boolean;
  /** For the head: links to what the screen needs besides what all pages name. */
  links: string;
}

/** @returns what goes into the page of a path */
export type FindPrerenderedContent = (path: string, config: PublicConfig) => PrerenderedContent;

/** Reads what the build has rendered; a build without it renders nothing in advance. */
export async function readPrerenderedPages(directory: string): Promise<FindPrerenderedContent> {
  const text = await readFile(join(directory, '.prerendered', 'pages.json'), 'utf8').catch(() => null);
  if (text === null) return () => nothing;
  const { routes, pages, preloads } = JSON.parse(text) as {
    routes: string[];
    pages: { name: string; shape: string[]; html: string }[];
    preloads: { screens: string; start: string };
  };
  const screens = routes.map(asPattern);
  const fill = (name: string, config: PublicConfig, more: Marks = {}) => {
    const { shape, marks } = shownOf(config);
    const wanted = (found: { name: string; shape: string[] }) =>
      found.name === name && found.shape.every((part) => shape.has(part) || part in more);
    // Those that fit, and of them the one that shows the most.
    const [page] = pages.filter(wanted).sort((one, other) => other.shape.length - one.shape.length);
    return page ? fillIn(page.html, { ...marks, ...more }) : '';
  };

  return (path, config) => {
    if (!screens.some((screen) => screen.test(path))) {
      // What is not plain the browser may write in another way.
      const html = /^\/[\w./-]*$/.test(path) ? fill('404', config, { path }) : '';
      return { name: '404', status: 404, html, isWhole: html !== '', links: '' };
    }
    const notice = config.maintenance?.general;
    if (notice) {
      const { message, until } = notice;
      const html = fill('503', config, {
        ...(message ? { message } : {}),
        ...(until ? { until, until_words: formatLondonMoment(new Date(until)) } : {}),
      });
      return { name: '503', status: 503, html, isWhole: true, links: '' };
    }
    if (path === '/login') return { ...nothing, name: path, html: fill(path, config), isWhole: true };
    if (path === '/') {
      return { ...nothing, name: path, html: fill(path, config), links: preloads.screens + preloads.start };
    }
    return { ...nothing, links: forGuests.test(path) ? '' : preloads.screens };
  };
}

const nothing: PrerenderedContent = { name: null, status: 200, html: '', isWhole: false, links: '' };

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
    address: firm?.address.join(', ') ?? '',
    sra_number: firm?.sra_number ?? '',
  };
  return { shape, marks };
}

const fillIn = (html: string, marks: Marks) =>
  html.replace(/\{\{(\w+)\}\}/g, (_mark, name: string) => escapeHtml(marks[name] ?? ''));

/** For text and for the value of an attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
