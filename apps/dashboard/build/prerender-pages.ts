import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Firm } from '@keyturn/contract';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { compileChecks } from '../../../packages/browser/build/compile-checks.ts';
import { dashboardChecks } from './dashboard-checks.ts';

/** The paths of the prerendered screens. The error page has no path. */
export const prerenderedPaths = ['/login'];

/**
 * Creates the Vite plugin that prerenders the sign-in page, the error pages and the loading state of the home page.
 * Settings of the running server become placeholders such as `{{phone}}`, which the server fills in. Each page is rendered
 * in every variant: with and without a firm, with and without the hint about the demonstration.
 *
 * Writes all pages to `.prerendered/pages.json`. For a static file host, it also writes `login/index.html`, the page
 * without settings, and its data in `login/_payload.json`.
 */
export function prerenderPages(): Plugin {
  let root = '';
  let outDir = '';
  let hasBundle = false;
  return {
    name: 'prerender-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = join(root, config.build.outDir);
    },
    generateBundle() {
      hasBundle = true;
    },
    closeBundle: {
      sequential: true,
      async handler() {
        if (!hasBundle) return;
        const page = readFileSync(join(outDir, 'index.html'), 'utf8');
        const { pages, routes, titles } = await withRenderer(root, async (renderer) => ({
          pages: await renderAll(renderer),
          routes: renderer.screenRoutes,
          titles: renderer.pageTitles,
        }));
        mkdirSync(join(outDir, '.prerendered'), { recursive: true });
        const preloads = createPreloads(outDir, page);
        const all = JSON.stringify({ routes, titles, pages, preloads });
        writeFileSync(join(outDir, '.prerendered', 'pages.json'), all);
        mkdirSync(join(outDir, 'login'), { recursive: true });
        writeFileSync(join(outDir, 'login', 'index.html'), plainPage(page, pages, titles['/login']));
        writeFileSync(join(outDir, 'login', '_payload.json'), plainPayload(page));
      },
    },
  };
}

/**
 * Creates the preload links of signed-in screens and of the home page. Without them, the browser finds these files only
 * after it has run the code that imports them.
 */
function createPreloads(outDir: string, page: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, '.vite', 'manifest.json'), 'utf8'));
  /** @param sources modules that are loaded on demand, or names of chunks that several modules share */
  const linksFor = (sources: string[], isIncluded: (file: string) => boolean) => {
    const files = new Set<string>();
    const seen = new Set<string>();
    const collect = (key: string) => {
      const chunk = manifest[key];
      if (!chunk || seen.has(key)) return;
      seen.add(key);
      for (const file of [...(chunk.css ?? []), chunk.file]) files.add(file);
      for (const imported of chunk.imports ?? []) collect(imported);
    };
    for (const source of sources) {
      const key = Object.keys(manifest).find(
        (name) => name === source || (name.startsWith(`_${source}-`) && name.endsWith('.js')),
      );
      if (!key) throw new Error(`the build has no chunk for ${source}`);
      collect(key);
    }
    return [...files].filter((file) => !isIncluded(file)).map((file) => linkTo(`/${file}`));
  };
  const isInPage = (file: string) => page.includes(file);
  // The frame of all signed-in screens is in the chunk `case`: see vite.config.ts.
  const screens = linksFor(['case', 'src/api/checks/answer-checks.ts'], isInPage);
  const isInScreens = (file: string) => isInPage(file) || screens.some((link) => link.includes(file));
  return { screens: screens.join(''), start: linksFor(['src/app/home/home-page.tsx'], isInScreens).join('') };
}

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] } | undefined>;

const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`;

export interface PrerenderedPage {
  /** The path of a screen, or the status of an error page. */
  name: '/' | '/login' | '404' | '503';
  /** The settings that the page shows, in this order. `kind` is the type of firm at the end of its name. */
  shape: ('kind' | 'firm' | 'demonstration' | 'message' | 'until')[];
  /** The HTML inside `#root`, with placeholders. */
  html: string;
}

type Renderer = typeof import('../src/app/startup/prerender-page.tsx');

const withOrWithout = [false, true] as const;

/** Renders every page in every variant. */
async function renderAll(renderer: Renderer): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const hasKind of withOrWithout) {
    const variant = {
      shape: hasKind ? (['kind'] as const) : [],
      name: hasKind ? `${samples.brand} ${samples.brand_kind}` : samples.brand,
    };
    pages.push(...(await renderScreens(renderer, variant)), ...(await renderErrorPages(renderer, variant)));
  }
  return pages.map((page) => {
    // The content security policy would block the style.
    if (/\sstyle=/.test(page.html)) throw new Error(`${page.name} has an inline style`);
    return { ...page, html: insertPlaceholders(page.html) };
  });
}

/** The name of the firm, with or without the type of firm at its end. */
interface NameVariant {
  shape: readonly 'kind'[];
  name: string;
}

async function renderScreens(
  { prerenderPage, prerenderHomePage }: Renderer,
  { shape, name }: NameVariant,
): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const hasFirm of withOrWithout) {
    const config = {
      product_name: name,
      firm: hasFirm ? { ...sampleFirm, name } : null,
      regulated_by: samples.regulated_by,
    };
    const screenShape: PrerenderedPage['shape'] = hasFirm ? [...shape, 'firm'] : [...shape];
    pages.push({ name: '/', shape: screenShape, html: await prerenderHomePage(config) });
    for (const demonstration of withOrWithout) {
      pages.push({
        name: '/login',
        shape: demonstration ? [...screenShape, 'demonstration'] : screenShape,
        html: await prerenderPage('/login', { ...config, demonstration }),
      });
    }
  }
  return pages;
}

async function renderErrorPages(
  { prerenderPage, prerenderErrorPage }: Renderer,
  { shape, name }: NameVariant,
): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const hasFirm of withOrWithout) {
    const config = { product_name: name, firm: hasFirm ? { ...sampleFirm, name } : null };
    const pageShape: PrerenderedPage['shape'] = hasFirm ? [...shape, 'firm'] : [...shape];
    pages.push({ name: '404', shape: pageShape, html: await prerenderPage(samples.path, config) });
    for (const hasMessage of withOrWithout) {
      for (const hasEnd of withOrWithout) {
        const error = {
          statusCode: 503,
          message: hasMessage ? samples.message : undefined,
          until: hasEnd ? '2030-01-02T14:00:00Z' : null,
        };
        const html = await prerenderErrorPage(error, config);
        pages.push({
          name: '503',
          shape: [
            ...pageShape,
            ...(hasMessage ? ['message' as const] : []),
            ...(hasEnd ? ['until' as const] : []),
          ],
          html: html.replace(/<time.*<\/time>/, '<time dateTime="{{until}}">{{until_words}}</time>'),
        });
      }
    }
  }
  return pages;
}

/** The values that become placeholders after rendering. Each must be unique in its page. */
const samples = {
  brand: 'Samplebrand',
  // `splitFirmName` must recognise it as a type of firm.
  brand_kind: 'Property Lawyers Limited',
  phone: '0999 000 1717',
  phone_digits: '+449990001717',
  opening_hours: 'Samplehours',
  address: 'Sampleaddress',
  regulated_by: 'Sample regulator',
  path: '/samplepath',
  message: 'Samplemessage',
};

const sampleFirm: Omit<Firm, 'name'> = {
  sra_number: '',
  phone: samples.phone_digits,
  address: [samples.address],
  opening_hours: samples.opening_hours,
  vat_number: null,
  order_cutoff: '',
  closed_on: [],
};

function insertPlaceholders(html: string): string {
  let marked = html;
  for (const [name, sample] of Object.entries(samples)) marked = marked.replaceAll(sample, `{{${name}}}`);
  return marked;
}

/** Builds the dashboard for Node in a temporary folder, calls `work` with the renderer, and removes the folder. */
async function withRenderer<T>(root: string, work: (renderer: Renderer) => Promise<T>): Promise<T> {
  const folder = join(root, 'node_modules', '.cache', `keyturn-prerender-${process.pid}`);
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [react(), compileChecks(dashboardChecks)],
      build: {
        ssr: 'src/app/startup/prerender-page.tsx',
        outDir: folder,
        emptyOutDir: true,
        copyPublicDir: false,
        assetsInlineLimit: 0,
      },
    });
    return await work(await import(pathToFileURL(join(folder, 'prerender-page.js')).href));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the sign-in page without settings, for a static file host. */
function plainPage(page: string, pages: PrerenderedPage[], title: string): string {
  const plain = pages.find(({ name, shape }) => name === '/login' && shape.length === 0);
  return page
    .replace('<div id="root"></div>', () => `<div id="root" data-page="/login">${plain?.html}</div>`)
    .replace('<title>', () => `<title>${title} – `)
    .replaceAll('{{brand}}', 'Keyturn')
    .replace(/<noscript>(?:(?!<\/noscript>)[\s\S])*class="no-script"[\s\S]*?<\/noscript>/, '');
}

/** Returns the data of the static sign-in page, with the build id that the page contains. */
function plainPayload(page: string): string {
  const build = /id="keyturn-build">([^<]*)</.exec(page)?.[1] ?? 'null';
  return JSON.stringify({
    build: JSON.parse(build)?.id ?? null,
    data: { product_name: 'Keyturn', firm: null, demonstration: false },
  });
}
