/** Where lines of the log are written. */
export interface LineOutput {
  write(lines: string): unknown;
}

/**
 * Writes all lines of a turn of the event loop in one system call, which costs more than all else of a line. When the
 * process exits, the lines of its last turn are still written.
 */
export function writeLinesTogether(output: LineOutput): LineOutput {
  let waiting = '';
  const writeWaiting = () => {
    const lines = waiting;
    waiting = '';
    if (lines !== '') output.write(lines);
  };
  process.once('exit', writeWaiting);
  return {
    write: (line) => {
      if (waiting === '') setImmediate(writeWaiting);
      waiting += line;
    },
  };
}

let toStandardOutput: LineOutput | undefined;

/** Returns the standard output of this process, for lines of the log. A reader that has left does not end the process. */
export function standardOutput(): LineOutput {
  if (!toStandardOutput) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
    toStandardOutput = writeLinesTogether(process.stdout);
  }
  return toStandardOutput;
}
