import type { Bytes } from './ports.ts';

/** A stored file of a backup: a document, a signed copy or a receipt. */
export interface ListedDocument {
  sha256: string;
  /** Bytes. */
  size: number;
}

/** The documents of a backup, in 40 bytes of memory each, because a firm may have a million. */
export interface DocumentList extends Iterable<ListedDocument> {
  /** A step that reads the lines that pass through it, such as `9f86…<tab>1024`. */
  step(source: Bytes): Bytes;
  count(): number;
}

const bytesEach = 40;
const perBlock = 4_096;

export function createDocumentList(): DocumentList {
  const blocks: Buffer[] = [];
  let count = 0;
  const add = (line: string) => {
    const [, sha256, size] = /^([0-9a-f]{64})\t(\d{1,15})$/.exec(line) ?? [];
    if (sha256 === undefined) throw new Error(`not a line of a list of documents: ${line.slice(0, 100)}`);
    const at = count % perBlock;
    if (at === 0) blocks.push(Buffer.alloc(perBlock * bytesEach));
    const block = blocks.at(-1) as Buffer;
    block.write(sha256, at * bytesEach, 'hex');
    block.writeDoubleBE(Number(size), at * bytesEach + 32);
    count += 1;
  };
  return {
    count: () => count,
    step: async function* (source) {
      let rest = '';
      for await (const chunk of source) {
        const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) add(line);
        yield chunk;
      }
      if (rest !== '') add(rest);
    },
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index += 1) {
        const block = blocks[Math.floor(index / perBlock)] as Buffer;
        const start = (index % perBlock) * bytesEach;
        yield {
          sha256: block.toString('hex', start, start + 32),
          size: block.readDoubleBE(start + 32),
        };
      }
    },
  };
}
