import { StartFault } from '../start-fault.ts';

/** Thrown when a command cannot write the file that it was asked for. The message says what to do. */
export class FileNotWritten extends StartFault {
  override name = 'FileNotWritten';
}

/**
 * Writes a file for the operator.
 * @param write writes it
 * @throws FileNotWritten if it exists, its folder is missing, or it cannot be written
 */
export async function writeForOperator<Result>(file: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason === undefined ? error : new FileNotWritten(reason(file), { cause: error });
  }
}

const folderIsMissing = (file: string) => `The folder of ${file} does not exist.`;
const isNotWritable = (file: string) => `${file} cannot be written: this user may not write there.`;

const reasons: Record<string, (file: string) => string> = {
  EEXIST: (file) => `${file} exists already: choose another name.`,
  ENOENT: folderIsMissing,
  ENOTDIR: folderIsMissing,
  EISDIR: (file) => `${file} is a folder: give the name of a file.`,
  EACCES: isNotWritable,
  EPERM: isNotWritable,
  EROFS: isNotWritable,
  ENOSPC: (file) => `${file} cannot be written: the disk is full.`,
};
