// @ts-check
import { spawnSync } from 'node:child_process';
import { root } from './set-up.mjs';

/*
 * Asks the registry whether the packages that Keyturn runs with have known vulnerabilities. Exits with 1 if one is high or
 * critical, and with 2 if the registry did not answer: then nothing was checked.
 */

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
const report = error ? null : readReport(stdout);
if (report === null) {
  console.error('The registry does not answer npm audit: no package was checked for vulnerabilities.');
  console.error('Run this command where https://registry.npmjs.org can be reached, before each release.');
  process.exit(2);
}
const { critical, high, moderate, low } = report.metadata.vulnerabilities;
for (const { name, severity, range } of Object.values(report.vulnerabilities)) {
  console.log(`${severity}: ${name} ${range}`);
}
console.log(`${critical} critical, ${high} high, ${moderate} moderate and ${low} low vulnerabilities`);
process.exit(critical + high > 0 ? 1 : 0);

/**
 * @param {string} text
 * @returns {{ metadata: { vulnerabilities: Record<'critical' | 'high' | 'moderate' | 'low', number> }, vulnerabilities:
 *   Record<string, { name: string, severity: string, range: string }> } | null} null for anything but a report
 */
function readReport(text) {
  try {
    const answer = JSON.parse(text);
    return answer.auditReportVersion === 2 ? answer : null;
  } catch {
    return null;
  }
}
