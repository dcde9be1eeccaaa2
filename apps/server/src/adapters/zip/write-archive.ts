import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { WriteArchive } from '../../features/data-protection/ports.ts';

/** Writes one file after another, so that memory does not grow with the archive. */
export const writeArchive: WriteArchive = async (path, files) => {
  const target = await open(path, 'wx', 0o600);
  const archive = new ZipFile();
  try {
    const written = pipeline(archive.outputStream, target.createWriteStream());
    const adding = (async () => {
      for await (const { name, content } of files) {
        const stream = Readable.from(content, { objectMode: false });
        archive.addReadStream(stream, name);
        await finished(stream);
      }
      archive.end();
    })();
    // The first failure ends the other.
    adding.catch((error: Error) => (archive.outputStream as unknown as Readable).destroy(error));
    await Promise.all([adding, written]);
  } catch (error) {
    await target.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
};
