// @ts-check

/** Characters of an SQL statement at each end, and frames of a stack, that are printed. */
const maxStatement = 300;
const maxFrames = 8;
const levels = new Map([
  [40, 'warning'],
  [50, 'error'],
  [60, 'fatal'],
]);

/**
 * Formats a line of the server's log, which is JSON, for a terminal. Errors are printed below it, without most of their SQL.
 * @param {string} line
 */
export function formatLogLine(line) {
  const entry = parse(line);
  if (!entry) return line;
  const { level, time, pid: _pid, hostname: _host, event: _event, route: _route, err, msg, ...rest } = entry;
  const details = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const head = [String(time).slice(11, 19), levels.get(level), msg, ...details].filter(Boolean).join(' ');
  return err ? [head, ...describe(err)].join('\n') : head;
}

/** @param {{ type?: string, message?: string, code?: string, statement?: string, stack?: string }} error */
function describe({ type, message, code, statement, stack = '' }) {
  const frames = stack.split('\n').filter((frame) => frame !== '' && !frame.includes('node_modules'));
  return [
    `  ${type}: ${message}${code ? ` (${code})` : ''}`,
    ...(statement ? [`  ${shorten(statement)}`] : []),
    ...frames.slice(0, maxFrames),
  ];
}

/** @param {string} statement */
const shorten = (statement) =>
  statement.length <= 2 * maxStatement
    ? statement
    : `${statement.slice(0, maxStatement)} … ${statement.length - 2 * maxStatement} characters … ${statement.slice(-maxStatement)}`;

/**
 * @param {string} line
 * @returns {Record<string, any> | undefined}
 */
function parse(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
