import { randomBytes } from 'node:crypto';

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameParts {
  opcode: number;
  payload?: Buffer | string;
  isLast?: boolean;
  reserved?: number;
  isMasked?: boolean;
}

/** Encodes a WebSocket frame, valid or not. */
export function encodeFrame({
  opcode,
  payload = '',
  isLast = true,
  reserved = 0,
  isMasked = true,
}: FrameParts): Buffer {
  const bytes = Buffer.from(payload as string);
  const size =
    bytes.length < 126
      ? Buffer.from([bytes.length])
      : bytes.length < 65_536
        ? Buffer.from([126, bytes.length >> 8, bytes.length & 255])
        : Buffer.concat([Buffer.from([127, 0, 0, 0, 0]), uint32(bytes.length)]);
  size[0] = (size[0] ?? 0) | (isMasked ? 0x80 : 0);
  const head = Buffer.concat([Buffer.from([(isLast ? 0x80 : 0) | (reserved << 4) | opcode]), size]);
  if (!isMasked) return Buffer.concat([head, bytes]);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

/** Decodes a server's frames, which have no masks. */
export function decodeFrames(bytes: Buffer): { opcode: number; payload: Buffer }[] {
  const frames = [];
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = bytes[at + 1] ?? 0;
    const start = at + (short === 126 ? 4 : 2);
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short;
    frames.push({ opcode: (bytes[at] ?? 0) & 15, payload: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return frames;
}
