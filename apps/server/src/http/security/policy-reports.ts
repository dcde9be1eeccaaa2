import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { pagePolicy } from '../route-policy.ts';

/** The path to which browsers report what the content security policy has blocked. */
export const policyReportPath = '/policy-reports';

/**
 * Logs violations of the content security policy: a script that someone has injected, or a page that needs a source that
 * the policy lacks. Anyone can send reports, so a line has only short parts of known fields, and there are few lines.
 */
export const policyReports =
  ({ clock }: { clock: Clock }) =>
  async (app: FastifyInstance): Promise<void> => {
    let windowStart = 0;
    let lines = 0;
    const mayLog = () => {
      const now = clock().getTime();
      if (Math.abs(now - windowStart) >= 60_000) {
        windowStart = now;
        lines = 0;
      }
      lines += 1;
      return lines <= maxLinesPerMinute;
    };
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 16 * 1024 }, (_request, body, done) =>
      done(null, body),
    );
    app.post(policyReportPath, { config: { policy: pagePolicy } }, async (request, reply) => {
      const violation = readReport(request.body);
      if (violation && mayLog()) {
        request.log.warn(
          { event: 'policy-violation', ...violation },
          'the content security policy was violated',
        );
      }
      return reply.code(204).header('cache-control', 'no-store').send();
    });
  };

const maxLinesPerMinute = 20;

/** @returns null for anything that is not a report in the format of `report-uri` */
function readReport(body: unknown): Record<string, string> | null {
  const report = parse(body);
  const directive = report?.['effective-directive'] ?? report?.['violated-directive'];
  if (!report || typeof directive !== 'string') return null;
  return {
    directive: directive.slice(0, 60),
    blocked: withoutSecrets(report['blocked-uri']),
    page: withoutSecrets(report['document-uri']),
    source: withoutSecrets(report['source-file']),
  };
}

function parse(body: unknown): Record<string, unknown> | null {
  try {
    const report: unknown = (JSON.parse(String(body)) as { 'csp-report'?: unknown } | null)?.['csp-report'];
    return typeof report === 'object' ? (report as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** Links from emails have their token in the query or the fragment. */
const withoutSecrets = (uri: unknown): string =>
  typeof uri === 'string' ? (uri.split(/[?#]/)[0] ?? '').slice(0, 200) : '';
