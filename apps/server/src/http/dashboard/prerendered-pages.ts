import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PublicConfig } from '@keyturn/contract';
import { splitFirmName } from '@keyturn/format/firm-name';
import { formatPhone, telephoneHref } from '@keyturn/format/phone-number';
import { formatLondonMoment } from '../../platform/london-time.ts';
import { decodePercent } from '../../platform/requests/decode-percent.ts';

/** Prerendered content for the page of a path, and the status to send it with. */
export interface PrerenderedContent {
  /** A path, or the status of an error page; the dashboard reads it from the page. Null: nothing was prerendered. */
  name: string | null;
  status: number;
  /** The screen's part of the page title; null if the dashboard sets it in the browser. */
  title: string | null;
  /** The content of `#root`; empty if the dashboard renders the whole page in the browser. */
  html: string;
  /** Whether `html` is the complete screen and not a frame that is replaced once the client's data has loaded. */
  isComplete: boolean;
  /** Preload links for the head, in addition to those of every page. */
  preloadLinks: string;
}

export type FindPrerenderedContent = (path: string, config: PublicConfig) => PrerenderedContent;

/** The file `.prerendered/pages.json` of a build. */
interface PrerenderedPages {
  /** The dashboard's routes, such as `/documents/:id`, with a pattern for each parameter that must match as a whole. */
  routes: Route[];
  /** The titles of the pages, by their name. */
  titles: Record<string, string>;
  /** `shape` lists the optional parts that a variant of a page shows. */
  pages: { name: string; shape: string[]; html: string }[];
  preloads: { screens: string; start: string };
}

/** Reads the pages that the build has prerendered. For a build without them, every path gets empty content. */
export async function readPrerenderedPages(directory: string): Promise<FindPrerenderedContent> {
  const text = await readFile(join(directory, '.prerendered', 'pages.json'), 'utf8').catch(() => null);
  if (text === null) return () => noContent;
  const { routes, titles, pages, preloads } = JSON.parse(text) as PrerenderedPages;
  const match = createMatcher(routes);
  const render = (name: string, config: PublicConfig, extraValues: Values = {}) => {
    const { shape, values } = valuesOf(config);
    const isUsable = (page: { name: string; shape: string[] }) =>
      page.name === name && page.shape.every((part) => shape.has(part) || part in extraValues);
    // Of the variants with no missing part, the most detailed.
    const [page] = pages.filter(isUsable).sort((a, b) => b.shape.length - a.shape.length);
    return page ? fillIn(page.html, { ...values, ...extraValues }) : '';
  };

  return (path, config) => {
    const matched = match(path);
    if (matched === 'none') {
      // The browser may show other characters differently, and hydration would then find different content.
      const html = /^\/[\w./-]*$/.test(path) ? render('404', config, { path }) : '';
      return {
        name: '404',
        status: 404,
        title: titles['404'] ?? null,
        html,
        isComplete: html !== '',
        preloadLinks: '',
      };
    }
    // The dashboard shows the error page itself: after sign-in, for some former paths.
    if (matched === 'invalid') return { ...noContent, status: 404, preloadLinks: preloads.screens };
    const maintenance = config.maintenance?.general;
    if (maintenance) {
      const { message, until } = maintenance;
      const html = render('503', config, {
        ...(message ? { message } : {}),
        ...(until ? { until, until_words: formatLondonMoment(new Date(until)) } : {}),
      });
      return { ...noContent, name: '503', status: 503, title: titles['503'] ?? null, html, isComplete: true };
    }
    const title = titles[path] ?? null;
    if (path === '/login')
      return { ...noContent, name: path, title, html: render(path, config), isComplete: true };
    if (path === '/') {
      const preloadLinks = preloads.screens + preloads.start;
      return { ...noContent, name: path, title, html: render(path, config), preloadLinks };
    }
    return { ...noContent, preloadLinks: guestPath.test(path) ? '' : preloads.screens };
  };
}

const noContent: PrerenderedContent = {
  name: null,
  status: 200,
  title: null,
  html: '',
  isComplete: false,
  preloadLinks: '',
};

const guestPath = /^\/(login|forgot-password|reset-password|regulation|complaints|privacy|terms)(\/|$)/i;

/** Values for the placeholders of a page, such as `{{phone}}`. */
type Values = Record<string, string>;

interface Route {
  /** `:id` matches one segment, a final `*` the whole rest. */
  path: string;
  params?: Record<string, string>;
}

/** Creates the function that tells whether a path is one of a route, and whether its parameters are valid there. */
function createMatcher(routes: Route[]): (path: string) => 'valid' | 'invalid' | 'none' {
  const compiled = routes.map(({ path, params = {} }) => ({
    // The router ignores the case of a path, but not that of its parameters.
    pattern: new RegExp(`^${path.replace(/\*$/, '.*').replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`, 'i'),
    params: Object.entries(params).map(([name, pattern]) => [name, new RegExp(`^(?:${pattern})$`)] as const),
  }));
  return (path) => {
    const found = compiled.flatMap(({ pattern, params }) => {
      const match = pattern.exec(path);
      return match
        ? [params.every(([name, valid]) => valid.test(decodePercent(match.groups?.[name] ?? '') ?? ''))]
        : [];
    });
    return found.length === 0 ? 'none' : found.includes(true) ? 'valid' : 'invalid';
  };
}

function valuesOf({ product_name, firm, regulated_by, demonstration }: PublicConfig) {
  const { first, kind } = splitFirmName(firm?.name ?? product_name);
  const shape = new Set([
    ...(kind ? ['kind'] : []),
    ...(firm ? ['firm'] : []),
    ...(demonstration ? ['demonstration'] : []),
  ]);
  const values: Values = {
    brand: first,
    brand_kind: kind ?? '',
    phone: firm ? formatPhone(firm.phone) : '',
    phone_digits: (firm && telephoneHref(firm.phone)?.slice('tel:'.length)) ?? '',
    opening_hours: firm?.opening_hours ?? '',
    address: firm?.address.join(', ') ?? '',
    regulated_by: regulated_by ?? '',
  };
  return { shape, values };
}

const fillIn = (html: string, values: Values) =>
  html.replace(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => escapeHtml(values[name] ?? ''));

/** Escapes text for HTML content and attribute values. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
