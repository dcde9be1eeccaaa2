import { readFileSync } from 'node:fs';

/** Lighthouse’s mobile settings multiply the duration of each task by four, and count what is above 50 ms as blocking. */
const slowdown = 4;
const blockingMs = 50;

/**
 * @typedef {object} TraceEvent
 * @property {string} name
 * @property {string} ph
 * @property {number} pid
 * @property {number} tid
 * @property {number} ts microseconds
 * @property {number} [dur] microseconds
 * @property {number} [tdur] microseconds of processor time
 * @property {Record<string, any>} args
 */

/**
 * Describes the tasks after the first paint that block a page: when they start, how long they take on the simulated phone,
 * how much of that is processor time (the rest is waiting for a busy machine), and the scripts that they run.
 * @param {string} file a trace that Lighthouse saved
 * @returns {string[]}
 */
export function describeLongTasks(file) {
  /** @type {TraceEvent[]} */
  const events = JSON.parse(readFileSync(file, 'utf8')).traceEvents;
  const start = events.findLast(
    ({ name, args }) => name === 'navigationStart' && /^http/.test(args.data?.documentLoaderURL ?? ''),
  );
  const isMainThread = (/** @type {TraceEvent} */ { name, pid, args }) =>
    name === 'thread_name' && pid === start?.pid && args.name === 'CrRendererMain';
  const thread = events.find(isMainThread);
  const paint = events.find(({ name, pid }) => name === 'firstContentfulPaint' && pid === start?.pid);
  if (!start || !thread || !paint) throw new Error(`${file} has no page that was painted`);
  const own = events.filter(({ ph, pid, tid }) => ph === 'X' && pid === thread.pid && tid === thread.tid);
  return own
    .filter(({ name, ts, dur = 0 }) => name === 'RunTask' && ts > paint.ts && inMs(dur) > blockingMs)
    .map((task) => {
      const { ts, dur = 0, tdur = 0 } = task;
      const inner = own.filter((event) => event !== task && event.ts >= ts && event.ts < ts + dur);
      const at = `${Math.round((ts - start.ts) / 1000)} ms`.padStart(8);
      return `${at}: ${inMs(dur)} ms, ${inMs(tdur)} ms of it busy: ${describeWork(inner)}`;
    });
}

/** @param {number} microseconds */
const inMs = (microseconds) => Math.round((microseconds * slowdown) / 1000);

/** @param {TraceEvent[]} events */
function describeWork(events) {
  const scripts = events
    .filter(({ name }) => ['FunctionCall', 'EvaluateScript', 'v8.evaluateModule'].includes(name))
    .map(({ name, args }) => `${name} ${(args.data?.url ?? args.fileName ?? '').split('/').at(-1)}`);
  const rendering = events
    .filter(({ name }) => ['Layout', 'UpdateLayoutTree', 'Paint', 'MajorGC', 'MinorGC'].includes(name))
    .map(({ name }) => name);
  return [...new Set([...scripts, ...rendering])].slice(0, 5).join(', ') || 'the browser itself';
}
