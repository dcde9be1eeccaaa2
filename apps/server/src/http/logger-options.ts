import { hideCardNumbers, hideSecrets, hideSecretsWithin } from '@keyturn/contract';
import type { FastifyServerOptions } from 'fastify';
import { describeError } from '../platform/describe-error.ts';

export interface LoggerOptions {
  level: string;
  /** Standard output unless told. */
  logTo?: { write(line: string): void } | undefined;
}

/**
 * One line of JSON for each thing that happened, with its time in UTC. Of a request only what is named here is ever
 * logged: no headers, no bodies, no query. And whatever a line has come to hold, no secret leaves in it.
 */
export function createLoggerOptions({ level, logTo }: LoggerOptions) {
  return {
    level,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: redactPath(request.url),
      }),
      res: (reply: { statusCode: number }) => ({ status: reply.statusCode }),
      err: (error: Error) => ({ ...describeError(error) }),
    },
    hooks: { streamWrite: redactSecrets },
    ...(logTo ? { stream: logTo } : {}),
  } as Exclude<FastifyServerOptions['logger'], boolean | undefined>;
}

/** Without the query, and without a card number that somebody has put into it, in whatever form. */
export function redactPath(url: string): string {
  const path = url.split('?')[0] ?? '';
  const spaced = path.replaceAll('+', ' ');
  const decoded = decodedOr(spaced);
  const hidden = hideCardNumbers(decoded);
  return hidden === decoded.normalize('NFKC') ? path : hidden;
}

function decodedOr(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll(/%[\da-f]{2}/gi, ' ');
  }
}

/** A line stays one: what JSON escapes, such as a line break somebody sent, it escapes here too. */
function redactSecrets(line: string): string {
  try {
    return `${JSON.stringify(hideSecretsWithin(JSON.parse(line)))}\n`;
  } catch {
    return hideSecrets(line);
  }
}
