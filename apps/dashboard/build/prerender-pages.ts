import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Firm } from '@keyturn/contract';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { compileChecks } from './compile-checks.ts';

/** The paths of the prerendered screens. The error page has no path. */
export const prerenderedPaths = ['/login'];

/**
 * Prerenders the sign-in page, the error pages and the loading state of the home page. Values that only the running server
 * knows are placeholders such as `{{phone}}`, and each page exists in every variant that they cause: with and without a
 * firm, with and without the hint about the demonstration. The server fills in the placeholders, and the dashboard
 * hydrates the page or replaces it with the case.
 *
 * All pages are in `.prerendered/pages.json`. `login/index.html` is the page of an installation without settings, for a
 * static file host, and `login/_payload.json` is its data.
 */
export function prerenderPages(): Plugin {
  let root = '';
  let outDir = '';
  let isMade = false;
  return {
    name: 'prerender-pages',
    apply: 'build',
    configResolved(config) {
      root = config.root;
      outDir = join(root, config.build.outDir);
    },
    generateBundle() {
      isMade = true;
    },
    closeBundle: {
      sequential: true,
      async handler() {
        if (!isMade) return;
        const page = readFileSync(join(outDir, 'index.html'), 'utf8');
        const { pages, routes } = await withRenderer(root, async (renderer) => ({
          pages: await renderAll(renderer),
          routes: renderer.screenPaths,
        }));
        mkdirSync(join(outDir, '.prerendered'), { recursive: true });
        const head = preloadsOf(outDir, page);
        const all = JSON.stringify({ routes, pages, preloads: head });
        writeFileSync(join(outDir, '.prerendered', 'pages.json'), all);
        mkdirSync(join(outDir, 'login'), { recursive: true });
        writeFileSync(join(outDir, 'login', 'index.html'), plainPage(page, pages));
        writeFileSync(join(outDir, 'login', '_payload.json'), plainPayload(page));
      },
    },
  };
}

/**
 * Creates the preload links of signed-in screens and of the home page. Without them, the browser finds these files only
 * after it has run the code that imports them.
 */
function preloadsOf(outDir: string, page: string) {
  const manifest: Manifest = JSON.parse(readFileSync(join(outDir, '.vite', 'manifest.json'), 'utf8'));
  const linksFor = (sources: string[], isThere: (file: string) => boolean) => {
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
      if (!manifest[source]) throw new Error(`the build has no chunk for ${source}`);
      collect(source);
    }
    return [...files].filter((file) => !isThere(file)).map((file) => linkTo(`/${file}`));
  };
  const isInPage = (file: string) => page.includes(file);
  const screens = linksFor(
    ['src/app/layouts/default-layout.tsx', 'src/api/checks/answer-checks.ts'],
    isInPage,
  );
  const isInScreens = (file: string) => isInPage(file) || screens.some((link) => link.includes(file));
  return { screens: screens.join(''), start: linksFor(['src/app/home/home-page.tsx'], isInScreens).join('') };
}

type Manifest = Record<string, { file: string; imports?: string[]; css?: string[] } | undefined>;

const linkTo = (file: string) =>
  file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="${file}">`;

export interface PrerenderedPage {
  /** The path of the page, or the status of an error page. */
  name: '/' | '/login' | '404' | '503';
  /** The parts of the configuration that it shows, in this order. `kind` is the type of firm at the end of its name. */
  shape: ('kind' | 'firm' | 'demonstration' | 'message' | 'until')[];
  /** The content of `#root`, with placeholders. */
  html: string;
}

type Renderer = typeof import('../src/app/startup/prerender-page.tsx');

async function renderAll({
  prerenderPage,
  prerenderHomePage,
  prerenderErrorPage,
}: Renderer): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const kind of [[], ['kind']] as const) {
    const name = [samples.brand, ...(kind.length > 0 ? [samples.brand_kind] : [])].join(' ');
    const add = (page: PrerenderedPage) => {
      // The content security policy would block the style.
      if (/\sstyle=/.test(page.html)) throw new Error(`${page.name} has an inline style`);
      pages.push({ ...page, html: insertPlaceholders(page.html) });
    };
    for (const firm of [[], ['firm']] as const) {
      const ofFirm = { product_name: name, firm: firm.length > 0 ? { ...sampleFirm, name } : null };
      add({ name: '/', shape: [...kind, ...firm], html: await prerenderHomePage(ofFirm) });
      for (const demonstration of [[], ['demonstration']] as const) {
        const html = await prerenderPage('/login', {
          ...ofFirm,
          demonstration: demonstration.length > 0,
        });
        add({ name: '/login', shape: [...kind, ...firm, ...demonstration], html });
      }
    }
    const shown = { product_name: name };
    add({ name: '404', shape: [...kind], html: await prerenderPage(samples.path, shown) });
    for (const message of [[], ['message']] as const) {
      for (const until of [[], ['until']] as const) {
        const words = {
          statusCode: 503,
          message: message.length > 0 ? samples.message : undefined,
          until: until.length > 0 ? '2030-01-02T14:00:00Z' : null,
        };
        const html = await prerenderErrorPage(words, shown);
        const time = '<time dateTime="{{until}}">{{until_words}}</time>';
        add({
          name: '503',
          shape: [...kind, ...message, ...until],
          html: html.replace(/<time.*<\/time>/, time),
        });
      }
    }
  }
  return pages;
}

/** The values that become placeholders after rendering. Each must be unique in its page. */
const samples = {
  brand: 'Samplebrand',
  // Must be recognised as the type of a firm.
  brand_kind: 'Property Lawyers Limited',
  phone: '0999 000 1717',
  phone_digits: '09990001717',
  opening_hours: 'Samplehours',
  address: 'Sampleaddress',
  sra_number: '999000',
  path: '/samplepath',
  message: 'Samplemessage',
};

const sampleFirm: Omit<Firm, 'name'> = {
  sra_number: samples.sra_number,
  phone: samples.phone,
  address: [samples.address],
  opening_hours: samples.opening_hours,
};

function insertPlaceholders(html: string): string {
  let marked = html;
  for (const [name, sample] of Object.entries(samples)) marked = marked.replaceAll(sample, `{{${name}}}`);
  return marked;
}

/** Builds the dashboard for Node in a temporary folder, and removes it afterwards. */
async function withRenderer<T>(root: string, work: (renderer: Renderer) => Promise<T>): Promise<T> {
  const folder = join(root, 'node_modules', '.cache', `keyturn-prerender-${process.pid}`);
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [react(), compileChecks()],
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

function plainPage(page: string, pages: PrerenderedPage[]): string {
  const plain = pages.find(({ name, shape }) => name === '/login' && shape.length === 0);
  return page
    .replace('<div id="root"></div>', () => `<div id="root" data-page="/login">${plain?.html}</div>`)
    .replaceAll('{{brand}}', 'Keyturn')
    .replace(/<noscript>(?:(?!<\/noscript>)[\s\S])*class="no-script"[\s\S]*?<\/noscript>/, '');
}

/** The payload contains the id of the build, which the page has as data. */
function plainPayload(page: string): string {
  const build = /id="keyturn-build">([^<]*)</.exec(page)?.[1] ?? 'null';
  return JSON.stringify({
    build: JSON.parse(build)?.id ?? null,
    data: { product_name: 'Keyturn', firm: null, demonstration: false },
  });
}
