import { setTimeout as wait } from 'node:timers/promises';
import type { PublicConfig } from '@keyturn/contract';
import { makePage, makePlainPage, type Page } from './answer-page.ts';
import { escapeHtml, type FindPrerenderedContent, type PrerenderedContent } from './prerendered-pages.ts';

/** Creates the dashboard's HTML pages, with the public configuration and the prerendered content inside. */
export interface DashboardPages {
  /** Returns the public configuration, at most a second old while the database responds. */
  currentConfig(): Promise<PublicConfig>;
  pageFor(path: string): Promise<{ page: Page; status: number; config: PublicConfig }>;
}

export interface DashboardPagesOptions {
  /** The build's `index.html`. */
  template: string;
  findPrerenderedContent: FindPrerenderedContent;
  publicConfig(): Promise<PublicConfig>;
  /** Returns the path of a style sheet for the pages; null without one. */
  findStyleSheet?: (() => Promise<string | null>) | undefined;
}

/** @throws Error if the template has no place for the configuration */
export function createDashboardPages(options: DashboardPagesOptions): DashboardPages {
  const { template, findPrerenderedContent, publicConfig, findStyleSheet = async () => null } = options;
  if (!template.includes(configPlaceholder)) {
    throw new Error(`index.html of the dashboard does not contain ${configPlaceholder}`);
  }
  let cached: ConfiguredPages | undefined;
  let refreshing: Promise<ConfiguredPages> | undefined;

  const refresh = async (): Promise<ConfiguredPages> => {
    try {
      const [config, styleSheet] = await Promise.all([publicConfig(), findStyleSheet()]);
      const element = configElement(config) + styleSheetElement(styleSheet);
      if (cached?.element !== element) cached = { config, element, freshUntil: 0, pages: new Map() };
    } catch (error) {
      // Without the database, the page opens with the last known configuration and reports the outage itself.
      if (!cached) throw error;
    }
    cached.freshUntil = performance.now() + freshFor;
    return cached;
  };

  /** Concurrent requests share one query. A slow database does not delay a page whose configuration is known. */
  const current = async (): Promise<ConfiguredPages> => {
    if (cached && performance.now() < cached.freshUntil) return cached;
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return cached ? Promise.race([refreshing, wait(refreshTimeout, cached, { ref: false })]) : refreshing;
  };

  return {
    currentConfig: async () => (await current()).config,
    pageFor: async (path) => {
      const { config, element, pages } = await current();
      const content = findPrerenderedContent(path, config);
      const { name, status, preloadLinks } = content;
      const render = () => insertContent(insertConfig(template, config, element, content), content);
      // Pages for unknown addresses are not cached, because they would fill the memory.
      if (status === 404) return { page: makePlainPage(render()), status, config };
      const key = name ?? preloadLinks;
      const page = pages.get(key) ?? makePage(render());
      pages.set(key, page);
      return { page: await page, status, config };
    },
  };
}

/** Milliseconds. */
const freshFor = 1_000;
const refreshTimeout = 500;

const configPlaceholder = '<!--keyturn-config-->';

/** The public configuration and the pages made with it, by name or, for pages without one, by preload links. */
interface ConfiguredPages {
  config: PublicConfig;
  /** The script element with the configuration, and the link to the style sheet. */
  element: string;
  /** Milliseconds since 1970. */
  freshUntil: number;
  pages: Map<string, Promise<Page>>;
}

const insertConfig = (
  template: string,
  { product_name }: PublicConfig,
  element: string,
  { title }: PrerenderedContent,
) =>
  template
    .replace(
      '<title>Keyturn ',
      () => `<title>${escapeHtml(title ? `${title} – ` : '')}${escapeHtml(product_name)} `,
    )
    .replace(configPlaceholder, () => element);

/** A complete screen already explains what needs JavaScript, so the general `<noscript>` message is removed. */
function insertContent(page: string, { name, html, isComplete, preloadLinks }: PrerenderedContent): string {
  const filled = page
    .replace('</head>', `${preloadLinks}</head>`)
    .replace('<div id="root"></div>', (empty) =>
      name === null ? empty : `<div id="root" data-page="${name}">${html}</div>`,
    );
  return isComplete ? filled.replace(/<noscript>\s*<div class="no-script">[\s\S]*?<\/noscript>/, '') : filled;
}

/** Escapes `<`, so that a value of the configuration cannot close the script element. */
function configElement(config: PublicConfig): string {
  const json = JSON.stringify(config).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="keyturn-config">${json}</script>`;
}

const styleSheetElement = (path: string | null) =>
  path === null ? '' : `<link rel="stylesheet" href="${escapeHtml(path)}">`;
