import { crc32, inflateSync } from 'node:zlib';
import { invalidInput } from '../platform/domain-error.ts';

/** A checked logo, without metadata. */
export interface ReadLogo {
  mediaType: 'image/png' | 'image/webp';
  width: number;
  height: number;
  content: Buffer;
}

/** Bytes. */
export const maxLogoBytes = 64 * 1024;
/** Pixels. */
const maxSide = 2_000;

/**
 * Checks that a file is a PNG or WebP picture from its first byte to its last, and removes everything that is not needed
 * to show it.
 * @throws DomainError `invalid_input` with the reason, for people
 */
export function readLogo(file: Buffer): ReadLogo {
  if (file.length > maxLogoBytes) throw rejected('The logo is larger than 64 KB.');
  const logo = isPng(file) ? readPng(file) : isWebp(file) ? readWebp(file) : undefined;
  if (!logo) throw rejected('The logo must be a PNG or WebP picture.');
  const { width, height } = logo;
  if (width < 1 || height < 1 || width > maxSide || height > maxSide)
    throw rejected(`The logo may be up to ${maxSide} pixels wide and high.`);
  return logo;
}

const rejected = (reason: string) => invalidInput('content', reason);
const damaged = () => rejected('The logo is damaged, or has something after the picture.');

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const isPng = (file: Buffer) => file.subarray(0, 8).equals(signature);

/** The chunks that a browser needs to show one picture: no text, no time, no further frames. */
const pngChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'gAMA', 'sRGB', 'IDAT', 'IEND']);

function readPng(file: Buffer): ReadLogo {
  const kept: Buffer[] = [signature];
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  let position = 8;
  for (let type = ''; type !== 'IEND'; ) {
    if (position + 12 > file.length) throw damaged();
    const end = position + 12 + file.readUInt32BE(position);
    if (end > file.length) throw damaged();
    type = file.toString('latin1', position + 4, position + 8);
    const content = file.subarray(position + 8, end - 4);
    if (crc32(file.subarray(position + 4, end - 4)) !== file.readUInt32BE(end - 4)) throw damaged();
    if ((type === 'IHDR') !== (header === undefined)) throw damaged();
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    if (pngChunks.has(type)) kept.push(file.subarray(position, end));
    // An upper-case first letter means that the picture cannot be shown without the chunk.
    else if (/^[A-Z]/.test(type)) throw damaged();
    position = end;
  }
  if (position !== file.length || header?.length !== 13) throw damaged();
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  checkPixels(header, data, { width, height });
  return { mediaType: 'image/png', width, height, content: Buffer.concat(kept) };
}

/** Channels of each colour type of PNG. */
const channels: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Inflates the pixels, and checks that their number matches the header. */
function checkPixels(header: Buffer, data: Buffer[], { width, height }: { width: number; height: number }) {
  const [depth = 0, colour = -1, , , interlaced = 0] = header.subarray(8);
  const bits = (channels[colour] ?? 0) * depth;
  if (bits === 0 || width > maxSide || height > maxSide) throw damaged();
  const size = height * (1 + Math.ceil((width * bits) / 8));
  // An interlaced picture has seven parts, each with its own line filters.
  const most = interlaced ? size + 7 * (height + width) : size;
  try {
    const { length } = inflateSync(Buffer.concat(data), { maxOutputLength: most });
    if (!interlaced && length !== size) throw damaged();
  } catch {
    throw damaged();
  }
}

const isWebp = (file: Buffer) =>
  file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP';

/** The chunks of the picture and its transparency. */
const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH']);

function readWebp(file: Buffer): ReadLogo {
  if (file.length < 20 || file.readUInt32LE(4) !== file.length - 8) throw damaged();
  const kept: Buffer[] = [];
  let size: { width: number; height: number } | undefined;
  for (let position = 12; position < file.length; ) {
    if (position + 8 > file.length) throw damaged();
    const type = file.toString('latin1', position, position + 4);
    const length = file.readUInt32LE(position + 4);
    const end = position + 8 + length + (length % 2);
    if (end > file.length) throw damaged();
    const content = file.subarray(position + 8, position + 8 + length);
    if (type === 'ANIM' || type === 'ANMF') throw rejected('The logo must not be animated.');
    if (webpChunks.has(type)) kept.push(withoutMetadataFlags(type, file.subarray(position, end)));
    size ??= type === 'VP8X' ? undefined : sizeOfWebp(type, content);
    position = end;
  }
  if (!size) throw damaged();
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept]);
  const riff = Buffer.alloc(8);
  riff.write('RIFF');
  riff.writeUInt32LE(body.length, 4);
  return { mediaType: 'image/webp', ...size, content: Buffer.concat([riff, body]) };
}

/** Clears the header flags for a colour profile, EXIF and XMP. */
function withoutMetadataFlags(type: string, chunk: Buffer): Buffer {
  if (type !== 'VP8X' || chunk.length < 18) return chunk;
  const changed = Buffer.from(chunk);
  changed[8] = (changed[8] ?? 0) & 0b0001_0000;
  return changed;
}

function sizeOfWebp(type: string, content: Buffer): { width: number; height: number } | undefined {
  if (type === 'VP8 ' && content.length >= 10 && content.toString('hex', 3, 6) === '9d012a')
    return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
  if (type === 'VP8L' && content.length >= 5 && content[0] === 0x2f) {
    const bits = content.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return undefined;
}
