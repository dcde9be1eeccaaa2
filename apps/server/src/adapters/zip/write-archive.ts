import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { OpenArchive, WriteArchive } from '../../records/data-protection/ports.ts';

/** Adds one file after another, as fast as the archive is read, so that memory does not grow with it. */
export const openArchive: OpenArchive = (files) => {
  const archive = new ZipFile();
  const output = archive.outputStream as Readable;
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  const add = async () => {
    for await (const { name, content } of files) {
      current = Readable.from(content, { objectMode: false });
      // A stream of the document store stays open until its reader ends it.
      if (output.destroyed) current.destroy();
      archive.addReadStream(current, name);
      await finished(current);
    }
    archive.end();
  };
  add().catch((error: Error) => output.destroy(error));
  return output;
};

export const writeArchive: WriteArchive = async (path, files) => {
  const target = await open(path, 'wx', 0o600);
  try {
    await pipeline(openArchive(files), target.createWriteStream());
  } catch (error) {
    await target.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
};
