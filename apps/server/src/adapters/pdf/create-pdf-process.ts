import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type DocumentChecker,
  type SignaturePrinter,
  UnprintableDocument,
} from '../../case-file/documents/ports.ts';
import type { FactSheetPrinter, ReceiptPrinter } from '../../payments/ports/printers.ts';
import { createSerialQueue } from '../../platform/serial-queue.ts';
import type { PdfAnswer, PdfTask } from './pdf-worker.ts';
import { watchMemory } from './watch-memory.ts';

export interface ProcessLimits {
  /** Milliseconds for one task, including the start of the process. */
  time: number;
  /** The total memory of the process, in megabytes. */
  memory: number;
  /** Milliseconds without work after which the process ends. */
  idle: number;
}

export interface PdfProcess extends SignaturePrinter, DocumentChecker, ReceiptPrinter, FactSheetPrinter {}

/** An A4 PNG at 600 dpi takes about 6 s on a slow machine; a contract of a hundred pages less than one. */
const defaultLimits: ProcessLimits = { time: 20_000, memory: 768, idle: 60_000 };

/**
 * Creates printers that work in a separate process, one task at a time, because a malicious document can need minutes
 * and gigabytes. A process above the limits is killed and its document rejected as unprintable; the next task starts
 * another one. The process gets no settings and no secrets.
 * @param script the built `pdf-worker.ts`
 */
export function createPdfProcess(script: URL, limits: ProcessLimits = defaultLimits): PdfProcess {
  const enqueue = createSerialQueue();
  let idle: ChildProcess | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  const startChild = (): ChildProcess => {
    const child = start(script, limits);
    child.once('exit', () => {
      if (idle === child) idle = undefined;
    });
    return child;
  };
  const acquire = (): ChildProcess => {
    clearTimeout(idleTimer);
    const child = idle ?? startChild();
    idle = undefined;
    hold(child, true);
    return child;
  };
  const release = (child: ChildProcess) => {
    idle = child;
    hold(child, false);
    idleTimer = setTimeout(() => {
      idle = undefined;
      child.kill('SIGKILL');
    }, limits.idle).unref();
  };
  const perform = async (task: PdfTask): Promise<Buffer> => {
    const answer = await enqueue(async () => {
      const child = acquire();
      const done = await performIn(child, task, limits);
      release(child);
      return done;
    });
    if ('content' in answer) {
      const { buffer, byteOffset, length } = answer.content;
      return Buffer.from(buffer, byteOffset, length);
    }
    throw answer.isUnprintable ? new UnprintableDocument(answer.error) : new Error(answer.error);
  };
  return {
    append: (document, page) => perform({ kind: 'append', document, page }),
    check: async (document) => void (await perform({ kind: 'check', document })),
    checkShown: async (document) => {
      try {
        await perform({ kind: 'check-shown', document });
      } catch (error) {
        // A document that is only read may be too large to be examined.
        if (!(error instanceof LimitExceeded)) throw error;
      }
    },
    print: (receipt) => perform({ kind: 'receipt', receipt }),
    printFactSheet: (sheet) => perform({ kind: 'fact-sheet', sheet }),
  };
}

const makeSmaller = 'save it as a smaller file and use that';

/** A document needed more than a process may use. */
class LimitExceeded extends UnprintableDocument {}

/** Sends a task to a process. Rejects when the process exceeds the limits or ends; it is not used again then. */
function performIn(child: ChildProcess, task: PdfTask, limits: ProcessLimits): Promise<PdfAnswer> {
  return new Promise((resolve, reject) => {
    let excess: string | undefined;
    const kill = (reason: string) => {
      excess ??= reason;
      child.kill('SIGKILL');
    };
    const tooMuchMemory = `it needs more than ${limits.memory} MB of memory: ${makeSmaller}`;
    const tooMuchTime = `it needs more than ${limits.time / 1_000} s: ${makeSmaller}`;
    const timer = setTimeout(() => kill(tooMuchTime), limits.time);
    const stopWatching = watchMemory(child, limits.memory, () => kill(tooMuchMemory));
    const settle = () => {
      clearTimeout(timer);
      stopWatching();
      child.off('message', onAnswer).off('error', onError).off('exit', onExit);
    };
    const onAnswer = (answer: unknown) => {
      settle();
      resolve(answer as PdfAnswer);
    };
    const onError = (error: Error) => {
      settle();
      child.kill('SIGKILL');
      reject(error);
    };
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      settle();
      // V8 aborts when its heap is full, as does the allocator at the operating system’s limit.
      const reason = excess ?? (isCrash(code, signal) ? tooMuchMemory : undefined);
      reject(
        reason === undefined
          ? new Error(`the PDF process ended (${signal ?? `exit code ${code}`})`)
          : new LimitExceeded(reason),
      );
    };
    child.on('message', onAnswer).on('error', onError).on('exit', onExit);
    child.send(task, (error) => error && onError(error));
  });
}

/** Whether the process crashed on its own, or the operating system killed it for its memory. */
const isCrash = (code: number | null, signal: NodeJS.Signals | null) =>
  ['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGKILL'].includes(signal ?? '') ||
  code === 134 ||
  code === outOfMemoryOnWindows;

const outOfMemoryOnWindows = 0xc000_0409;

/**
 * Returns the limit, in megabytes, of data that the kernel lets the process map. Since Node 24, V8 maps 512 MB for
 * machine code when it starts, which counts although only the pages in use occupy memory.
 */
const dataLimit = (memory: number) => 2 * memory + (nodeMajor > 22 ? 512 : 0);

const nodeMajor = Number.parseInt(process.versions.node, 10);

/** Starts the process. On Linux, the kernel limits the memory that it can allocate between two checks. */
function start(script: URL, { memory }: ProcessLimits): ChildProcess {
  const program = [process.execPath, `--max-old-space-size=${Math.floor(memory / 2)}`, fileURLToPath(script)];
  const limited =
    process.platform === 'linux'
      ? ['/bin/sh', '-c', 'ulimit -d "$0"; exec "$@"', String(dataLimit(memory) * 1_024), ...program]
      : program;
  const [command = '', ...args] = limited;
  const child = spawn(command, args, {
    env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  child.on('error', () => {});
  return child;
}

/** Lets this process end although the child is running, or not. */
function hold(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
