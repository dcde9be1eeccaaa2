import type { Plugin } from 'vite';

/** Preloads the two Latin fonts with the page. Otherwise the browser finds them only after the stylesheets. */
export function preloadFonts(): Plugin {
  let base = '/';
  return {
    name: 'preload-fonts',
    apply: 'build',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_page, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /(newsreader-latin-500|figtree-latin-wght)-normal[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `${base}${file}`,
              crossorigin: true,
            },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Gives stylesheets priority over scripts, so that a prerendered page is painted first. */
export function deprioritiseScripts(): Plugin {
  return {
    name: 'deprioritise-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (page) =>
        page.replaceAll(/<(link rel="modulepreload"|script type="module")/g, '<$1 fetchpriority="low"'),
    },
  };
}
