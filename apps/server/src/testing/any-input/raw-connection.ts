import { connect } from 'node:net';
import type { Answer } from './check-answer.ts';

/** Milliseconds after which a request counts as unanswered: several times what a busy machine takes. */
const patience = 60_000;

/**
 * Sends bytes on a new connection, and waits for the first answer, or for the end of the connection.
 * @param options.isIncomplete whether to end the connection after the bytes
 * @returns null if the connection ended without an answer
 */
export function exchangeBytes(
  port: number,
  sent: Buffer,
  { isIncomplete, isHead }: { isIncomplete: boolean; isHead: boolean },
): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(readAnswer(received, isHead));
    };
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer after ${patience} ms; received: ${received.slice(0, 500)}`));
    }, patience);
    socket.on('error', () => {});
    socket.on('close', finish);
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (isWhole(received, isHead)) finish();
    });
    socket.on('connect', () => {
      if (isIncomplete) socket.end(sent);
      else socket.write(sent);
    });
  });
}

function readAnswer(text: string, isHead: boolean): Answer | null {
  const [, status, lines = ''] = /^HTTP\/1\.1 (\d{3})[^\r\n]*\r\n([\s\S]*?)\r\n\r\n/.exec(text) ?? [];
  if (!status) return null;
  const headers = Object.fromEntries(
    lines
      .split('\r\n')
      .map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
  );
  const end = text.indexOf('\r\n\r\n') + 4;
  const length = isHead ? 0 : Number(headers['content-length'] ?? Number.POSITIVE_INFINITY);
  // Headers and bodies were read as Latin-1.
  const body = Buffer.from(text.slice(end, end + length), 'latin1').toString();
  return { status: Number(status), headers, body };
}

/** Whether the first answer has arrived; of one that is sent in chunks, its headers. */
function isWhole(text: string, isHead: boolean): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end)) ?? [];
  return isHead || isWithoutBody.test(text) || text.length >= end + 4 + Number(length);
}

const isWithoutBody = /^HTTP\/1\.1 (1\d\d|204|304)/;
