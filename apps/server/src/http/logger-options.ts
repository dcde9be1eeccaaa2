import { hideCardNumbers, hideSecrets, isHarmlessLine, parseWithoutSecrets } from '@keyturn/contract';
import type { FastifyServerOptions } from 'fastify';
import { describeError } from '../platform/describe-error.ts';
import { currentTraceId } from '../platform/tracing/spans.ts';
import { standardOutput } from './write-lines-together.ts';

export interface LoggerOptions {
  level: string;
  /** Standard output by default. */
  logTo?: { write(line: string): void } | undefined;
}

/**
 * Creates the options of the server's logger: one line of JSON per event, with its time in UTC. Requests are logged
 * without headers, body and query. Secrets are removed from every line, whatever its source.
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
      // These run only for lines that are written.
      path: redactPath,
    },
    mixin: () => {
      const trace = currentTraceId();
      return trace === null ? {} : { trace_id: trace };
    },
    hooks: { streamWrite: redactSecrets },
    stream: logTo ?? standardOutput(),
  } as Exclude<FastifyServerOptions['logger'], boolean | undefined>;
}

/**
 * Returns the path of a URL without its query, and with card numbers hidden, encoded ones too. A long path is cut
 * before anything else looks at it, without digits at its end, which could be most of a card number.
 */
export function redactPath(url: string): string {
  // Most paths of the API. Decoding and searching them would cost more than the rest of the line.
  if (wordsOnly.test(url)) return url;
  const start = url.slice(0, maxLoggedPath);
  const [whole = ''] = start.split('?');
  const isCut = whole.length < url.length && whole.length === maxLoggedPath;
  const path = isCut ? `${whole.replace(/[\d\s%+._-]{1,100}$/, '')}…` : whole;
  const decoded = decodePath(path.replaceAll('+', ' '));
  const hidden = hideCardNumbers(decoded);
  return hidden === decoded ? path : hidden;
}

/** Longer than any path of the dashboard or the API. */
const maxLoggedPath = 500;
const wordsOnly = /^[a-z/-]{1,100}$/;

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path.replaceAll(/%([\da-f]{2})/gi, (_escape, hex: string) => {
      const code = Number.parseInt(hex, 16);
      return code < 128 ? String.fromCharCode(code) : ' ';
    });
  }
}

/** Parses the line and serialises it again, so that a line break in a value stays escaped and cannot forge a line. */
function redactSecrets(line: string): string {
  if (isHarmlessLine(line)) return line;
  try {
    return `${JSON.stringify(parseWithoutSecrets(line))}\n`;
  } catch {
    return hideSecrets(line);
  }
}
