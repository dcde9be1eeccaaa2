import { constants, deflateSync } from 'node:zlib';

/* Small PDFs that cost a reader gigabytes or minutes. */

/** An object stream of a few hundred kilobytes that expands to gigabytes of zeros. */
export function decompressionBomb(): Buffer {
  return pdfWith([stream('/Type /ObjStm /N 1 /First 4', zerosDeflated(2_048))]);
}

/** Two million objects in one compressed stream. */
export function tooManyObjects(): Buffer {
  const count = 2_000_000;
  const index = Buffer.from(Array.from({ length: count }, (_, n) => `${n + 100} ${n * 2} `).join(''));
  const objects = Buffer.from('1 '.repeat(count));
  const content = deflateSync(Buffer.concat([index, objects]));
  return pdfWith([stream(`/Type /ObjStm /N ${count} /First ${index.length}`, content)]);
}

/** A list of pages in a list, a million times. */
export const deepNesting = (): Buffer => pdfWith([], `${'['.repeat(1_000_000)}3 0 R`);

function pdfWith(bodies: Buffer[], pages = '[3 0 R]'): Buffer {
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids ${pages} /Count 1 >>`),
    Buffer.from('<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>'),
    ...bodies,
  ];
  const parts = objects.flatMap((body, n) => [
    Buffer.from(`${n + 1} 0 obj\n`),
    body,
    Buffer.from('\nendobj\n'),
  ]);
  const trailer = `trailer\n<< /Root 1 0 R /Size ${objects.length + 1} >>\nstartxref\n0\n%%EOF\n`;
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, Buffer.from(trailer)]);
}

const stream = (entries: string, content: Buffer) =>
  Buffer.concat([
    Buffer.from(`<< ${entries} /Filter /FlateDecode /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

/** Deflates one megabyte of zeros and repeats the result: a full flush makes each block independent. */
function zerosDeflated(megabytes: number): Buffer {
  const flushed = deflateSync(Buffer.alloc(1_048_576), { finishFlush: constants.Z_FULL_FLUSH });
  const block = flushed.subarray(2);
  const lastBlock = Buffer.from([0x03, 0x00]);
  // Adler-32 of zeros.
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE((((megabytes * 1_048_576) % 65_521) * 65_536 + 1) >>> 0);
  return Buffer.concat([
    flushed.subarray(0, 2),
    ...Array<Buffer>(megabytes).fill(block),
    lastBlock,
    checksum,
  ]);
}
