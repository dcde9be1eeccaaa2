import { connect, type NetConnectOpts, type Socket } from 'node:net';
import type { AlertOperator } from '../../platform/alert-operator.ts';
import type { Clock } from '../../platform/clock.ts';
import { describeError } from '../../platform/describe-error.ts';
import { type FindMalware, ScannerUnavailable } from '../../platform/files/find-malware.ts';
import { limitAlerts } from '../../platform/limit-alerts.ts';

interface ClamdOptions {
  /** A host and port, or the path of a socket. */
  address: NetConnectOpts;
  clock: Clock;
  alertOperator: AlertOperator;
  /** Milliseconds for a whole scan. */
  timeout?: number;
}

/**
 * Scans files with a ClamAV daemon over its INSTREAM command. A file whose scan fails counts as not scanned, and the
 * operator is alerted once an hour.
 */
export function createClamdScanner({
  address,
  clock,
  alertOperator,
  timeout = 30_000,
}: ClamdOptions): FindMalware {
  const alertOnceAnHour = limitAlerts(alertOperator, clock);
  return async (content) => {
    try {
      return malwareIn(await scan(connect(address), content, timeout));
    } catch (error) {
      const reason = reasonOf(error);
      alertOnceAnHour('scanner', 'files cannot be scanned for malware, and are refused', {
        scanner: nameOf(address),
        reason,
      });
      throw new ScannerUnavailable(
        `The virus scanner of KEYTURN_VIRUS_SCANNER could not scan a file: ${reason}. Make sure that it runs, and try again.`,
      );
    }
  };
}

const nameOf = (address: NetConnectOpts) =>
  'path' in address ? address.path : `${address.host}:${address.port}`;

function reasonOf(error: unknown): string {
  const { message, code, type } = describeError(error);
  // The reply to a file that is too large is lost if clamd closes the connection while the rest is sent.
  if (code === 'EPIPE' || code === 'ECONNRESET')
    return `it closed the connection (${code}): set StreamMaxLength of clamd to 26M or more if it is lower`;
  return message || code || type;
}

/** Sends a file and returns the reply, without the NUL that ends it. */
function scan(socket: Socket, content: Buffer, timeout: number): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    let reply = '';
    const expiry = setTimeout(() => reject(new Error(`no reply within ${timeout / 1_000} s`)), timeout);
    socket.on('data', (part) => {
      reply += part.toString('latin1');
      const end = reply.indexOf('\0');
      if (end !== -1) resolve(reply.slice(0, end));
      else if (reply.length > maxReply) reject(new Error('the reply is too long'));
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(expiry);
      reject(new Error('the connection was closed without a reply'));
    });
    for (const part of framesOf(content)) socket.write(part);
  }).finally(() => socket.destroy());
}

/** The command, and the file as chunks after their lengths; a chunk without content ends it. */
function* framesOf(content: Buffer): Generator<Buffer> {
  yield Buffer.from('zINSTREAM\0', 'latin1');
  for (let start = 0; start < content.length; start += chunkBytes) {
    const chunk = content.subarray(start, start + chunkBytes);
    yield lengthOf(chunk.length);
    yield chunk;
  }
  yield lengthOf(0);
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}

/** @throws Error for a reply other than a result */
function malwareIn(reply: string): string | null {
  if (reply === 'stream: OK') return null;
  const [, name] = /^stream: ([\x21-\x7e]{1,200}) FOUND$/.exec(reply) ?? [];
  if (name !== undefined) return name;
  if (reply.startsWith('INSTREAM size limit exceeded'))
    throw new Error(
      'the file is larger than the scanner accepts: set StreamMaxLength of clamd to 26M or more',
    );
  throw new Error(`it replied ${JSON.stringify(reply.slice(0, 200))}`);
}

const chunkBytes = 256 * 1024;
const maxReply = 1_000;
