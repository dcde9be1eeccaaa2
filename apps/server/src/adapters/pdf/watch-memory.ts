import { type ChildProcess, execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/**
 * Watches the total resident memory of a process: heap, buffers, native memory and stacks.
 * @param limit megabytes
 * @returns a function that stops watching
 */
export function watchMemory(child: ChildProcess, limit: number, onExcess: () => void): () => void {
  const { pid } = child;
  const read = pid === undefined ? undefined : readers[process.platform];
  if (!read || pid === undefined) return () => {};
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    const kilobytes = await read(pid).catch(() => 0);
    if (isStopped) return;
    if (kilobytes > limit * 1_024) onExcess();
    else timer = setTimeout(() => void check(), checkEvery);
  };
  timer = setTimeout(() => void check(), checkEvery);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Milliseconds. */
const checkEvery = 50;

/** Read the resident memory of a process in kilobytes. On Windows only the heap and the time are limited. */
const readers: Partial<Record<NodeJS.Platform, (pid: number) => Promise<number>>> = {
  linux: async (pid) =>
    Number(/^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  darwin: (pid) =>
    new Promise((resolve, reject) => {
      execFile('ps', ['-o', 'rss=', '-p', String(pid)], (error, output) =>
        error ? reject(error) : resolve(Number(output.trim())),
      );
    }),
};
