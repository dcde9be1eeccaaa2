import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Firm } from '@keyturn/contract';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { compileChecks } from './compile-checks.ts';

/** Screens whose HTML the build makes. The error page has no path of its own. */
export const prerenderedPaths = ['/login'];

/**
 * Renders sign-in and the error page as a client without scripts sees them, and of the start page what stands there while
 * nothing is known yet of the client. What only the running server knows stands as a mark such as `{{phone}}`, and each
 * page is there once for every shape that this gives it: with a firm or without, with the hint at a demonstration or
 * without. The server fills in the marks; the dashboard takes the page over as it is, or draws the case in place of it.
 *
 * All of them stand in `.prerendered/pages.json`; `login/index.html` is the page of an installation that nobody has set
 * up, for a host of plain files, and `login/_payload.json` the data of it.
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
 * For the head of a page that has nothing rendered in advance: what every signed-in screen needs, and what the start page
 * needs besides, which the browser would otherwise hear of only from the code before it.
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
    for (const source of sources) collect(source);
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
  /** A path, or the status whose error page it is. */
  name: '/' | '/login' | '404' | '503';
  /** What of its configuration shows: `kind` is that of the firm, at the end of its name. In this order. */
  shape: ('kind' | 'firm' | 'demonstration' | 'message' | 'until')[];
  /** What stands inside `#root`, with marks. */
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
      // The policy of the page would let it through without the style, and complain.
      if (/\sstyle=/.test(page.html)) throw new Error(`${page.name} has a style of its own in advance`);
      pages.push({ ...page, html: withMarks(page.html) });
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

/** What stands for each mark while a page is rendered: words that are nowhere else in it. */
const samples = {
  brand: 'Samplebrand',
  // Has to be read as a kind of firm.
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

function withMarks(html: string): string {
  let marked = html;
  for (const [name, sample] of Object.entries(samples)) marked = marked.replaceAll(sample, `{{${name}}}`);
  return marked;
}

/** The dashboard built once more, for Node, into a folder that is gone afterwards. */
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

/** Who answers for the build and when stands in the page already. */
function plainPayload(page: string): string {
  const build = /id="keyturn-build">([^<]*)</.exec(page)?.[1] ?? 'null';
  return JSON.stringify({
    build: JSON.parse(build)?.id ?? null,
    data: { product_name: 'Keyturn', firm: null, demonstration: false },
  });
}
