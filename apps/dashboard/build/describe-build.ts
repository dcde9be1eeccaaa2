import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { redirectRules } from '../src/app/routing/redirect-rules.ts';
import type { Manifest, RouteRule } from '../src/delivery/build-manifest.ts';

export interface DescribeBuildOptions {
  /** Returns the paths that this build has prerendered; called after all other files are written. */
  prerendered(): string[];
}

/**
 * Gives each build an id that depends on its content. It writes the id and the time into the page and into
 * `builds/latest.json`, and the id with the route rules into `builds/meta/{id}.json`.
 */
export function describeBuild({ prerendered }: DescribeBuildOptions): Plugin {
  let outDir = '';
  let publicDir = '';
  let build = { id: '', timestamp: 0 };
  return {
    name: 'describe-build',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir);
      publicDir = config.publicDir;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle }) => {
        build = { id: idOf([page, ...Object.keys(bundle ?? {}).sort()], publicDir), timestamp: Date.now() };
        return [
          {
            tag: 'script',
            attrs: { type: 'application/json', id: 'keyturn-build' },
            children: JSON.stringify(build),
            injectTo: 'head',
          },
        ];
      },
    },
    // Runs after the plugins that prerender.
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        if (build.id === '') return;
        const paths = prerendered();
        const manifest = { ...build, matcher: matcherOf(paths), prerendered: paths };
        mkdirSync(join(outDir, 'builds', 'meta'), { recursive: true });
        writeFileSync(join(outDir, 'builds', 'meta', `${build.id}.json`), JSON.stringify(manifest));
        writeFileSync(join(outDir, 'builds', 'latest.json'), JSON.stringify(build));
      },
    },
  };
}

/** The file names of the build are enough, because they contain hashes of the content. */
function idOf(parts: string[], publicDir: string): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  for (const name of readdirSync(publicDir).sort())
    hash.update(name).update(readFileSync(join(publicDir, name)));
  return hash.digest('hex').slice(0, 16);
}

function matcherOf(prerendered: string[]): Manifest['matcher'] & { dynamic: object } {
  const rules: Record<string, RouteRule> = { ...redirectRules };
  for (const path of prerendered) rules[path] = { prerender: true };
  return { static: rules, wildcard: {}, dynamic: {} };
}
