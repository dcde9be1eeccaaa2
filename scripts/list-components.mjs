// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './set-up.mjs';

/*
 * Writes the software bill of materials of a release: every package that Keyturn runs with, from package-lock.json, in
 * CycloneDX’s format. Needs no network. `node scripts/list-components.mjs FILE`; by default keyturn.cdx.json.
 */

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { stdout, stderr, status } = spawnSync(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
  { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, shell: process.platform === 'win32' },
);
if (status !== 0) {
  console.error(`npm sbom failed: ${stderr}`);
  process.exit(1);
}
const bill = JSON.parse(stdout);
// Not npm’s `--omit=dev`, which also leaves out packages that a development package needs as well, such as React.
const used = packagesInUse();
/** @param {{ name: string, version: string }} component */
const isInUse = ({ name, version }) => used.has(`${name}@${version}`);
bill.components = bill.components.filter(isInUse);
const listed = new Set(bill.components.map((/** @type {any} */ component) => component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter((/** @type {any} */ { ref }) => listed.has(ref))
  .map((/** @type {any} */ { ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((/** @type {string} */ other) => listed.has(other)),
  }));
// npm names the folder of the clone.
Object.assign(bill.metadata.component, { name, version, purl: `pkg:generic/${name}@${version}` });
const file = resolve(process.argv[2] ?? 'keyturn.cdx.json');
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${file} lists ${bill.components.length} components of ${name} ${version}.`);

/** Names and versions of all packages that are not only for development. */
function packagesInUse() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return new Set(
    Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
      .map(([path, locked]) => `${locked.name ?? path.split('node_modules/').pop()}@${locked.version}`),
  );
}
