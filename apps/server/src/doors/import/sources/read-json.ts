import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import { hasRepeatedField } from '../../../platform/requests/repeated-field.ts';

/** The text is not JSON; the message says why. */
export class JsonFault extends Error {
  override name = 'JsonFault';
}

/** Reads a JSON text from a file, one value after the other. */
export interface JsonCursor {
  /** Skips white space. @returns the next byte as a character, without consuming it; null at the end of the file */
  peek(): Promise<string | null>;
  /** Skips white space and consumes the expected character. @throws JsonFault if another one follows */
  expect(character: string): Promise<void>;
  /** Reads a whole value. @throws JsonFault if it is invalid or larger than 16 MB */
  readValue(): Promise<unknown>;
  /** The offset in the file, in bytes. */
  offset(): number;
}

const defaultChunkBytes = 1024 * 1024;
const maxValueBytes = 16 * 1024 * 1024;

/**
 * Creates a cursor that keeps a chunk of the file in memory. The cursor only finds where a value ends; `JSON.parse`, which
 * is native code, parses and checks the value.
 * @param offset where to start, in bytes
 */
export function createJsonCursor(
  file: FileHandle,
  offset: number,
  chunkBytes = defaultChunkBytes,
): JsonCursor {
  let buffer: Buffer = Buffer.alloc(0);
  /** Where the next byte is in the buffer. */
  let at = 0;
  /** Where the buffer starts in the file. */
  let start = offset;

  /** Reads another chunk behind the bytes that are not consumed. @returns false at the end of the file */
  const readChunk = async (): Promise<boolean> => {
    const rest = buffer.length - at;
    const longer = Buffer.allocUnsafe(rest + chunkBytes);
    buffer.copy(longer, 0, at);
    const { bytesRead } = await file.read(longer, rest, chunkBytes, start + buffer.length);
    start += at;
    at = 0;
    buffer = longer.subarray(0, rest + bytesRead);
    return bytesRead > 0;
  };
  const fault = (reason: string, from = at) => new JsonFault(`${reason} at byte ${start + from}`);

  const peek = async () => {
    for (;;) {
      while (at < buffer.length && isSpace(buffer[at])) at += 1;
      if (at < buffer.length) return String.fromCharCode(buffer[at] ?? 0);
      if (!(await readChunk())) return null;
    }
  };
  return {
    peek,
    expect: async (character) => {
      const next = await peek();
      if (next !== character) {
        throw fault(
          `expected "${character}" instead of ${next === null ? 'the end of the file' : `"${next}"`}`,
        );
      }
      at += 1;
    },
    readValue: async () => {
      await peek();
      let end = endOfValue(buffer, at);
      while (end === null) {
        if (buffer.length - at > maxValueBytes) throw fault('a value larger than 16 MB');
        if (!(await readChunk())) end = buffer.length;
        else end = endOfValue(buffer, at);
      }
      const from = at;
      at = end;
      const bytes = buffer.subarray(from, end);
      if (!isUtf8(bytes)) throw fault('bytes that are not UTF-8, in the value', from);
      const text = bytes.toString('utf8');
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        throw fault(`${error instanceof Error ? error.message : error}, in the value`, from);
      }
      if (hasRepeatedField(text, value))
        throw fault('the same field twice in one object, in the value', from);
      return value;
    },
    offset: () => start + at,
  };
}

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Finds where the value that starts at an offset ends. @returns null if it continues behind the buffer */
function endOfValue(buffer: Buffer, from: number): number | null {
  let depth = 0;
  for (let at = from; at < buffer.length; at += 1) {
    const byte = buffer[at];
    if (byte === quote) {
      const end = endOfString(buffer, at + 1);
      if (end === null) return null;
      if (depth === 0) return end;
      at = end - 1;
    } else if (byte === openObject || byte === openList) {
      depth += 1;
    } else if (byte === closeObject || byte === closeList) {
      // A bracket that closes the list around a number, or around nothing.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || byte === colon || isSpace(byte))) {
      return at;
    }
  }
  return null;
}

function endOfString(buffer: Buffer, from: number): number | null {
  for (let at = from; at < buffer.length; at += 1) {
    const byte = buffer[at];
    if (byte === backslash) at += 1;
    else if (byte === quote) return at + 1;
  }
  return null;
}
