import { createServer, type Socket } from 'node:net';

/** The test file of antivirus vendors, written in two parts so that scanners leave this file alone. */
export const eicar = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
);

export interface ClamdSimulator {
  port: number;
  /** The sizes of the files that were scanned, in bytes. */
  scanned: number[];
  /** Commands other than INSTREAM. */
  violations: string[];
  /** What clamd does with the next files. */
  behaviour: 'scan' | 'stay silent' | 'close';
  close(): Promise<void>;
}

/**
 * Starts a server with the INSTREAM command of clamd(8): `zINSTREAM`, NUL, chunks after their length as four bytes in
 * network order, and a chunk of length zero. It finds the EICAR test file anywhere in a file. Its replies were compared with
 * those of ClamAV 1.4.3.
 * @param options.streamMaxLength bytes
 */
export async function startClamdSimulator({
  streamMaxLength = 26 * 1024 * 1024,
} = {}): Promise<ClamdSimulator> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Callers that leave early are part of the tests.
    socket.on('error', () => {});
    void answer(socket);
  });
  const simulator: ClamdSimulator = {
    port: 0,
    scanned: [],
    violations: [],
    behaviour: 'scan',
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
  const answer = async (socket: Socket) => {
    if (simulator.behaviour === 'close') return socket.destroy();
    const stream = createByteReader(socket);
    const command = (await stream.take(commandLine.length))?.toString('latin1');
    // The caller has left, as one does that waits no longer.
    if (command === undefined) return;
    if (command !== commandLine) {
      simulator.violations.push(`the command ${JSON.stringify(command)}`);
      return socket.end('UNKNOWN COMMAND\0');
    }
    const content: Buffer[] = [];
    let size = 0;
    for (;;) {
      const length = (await stream.take(4))?.readUInt32BE();
      if (length === undefined) return;
      if (length === 0) break;
      size += length;
      // As clamd does, it leaves the rest unread, so that the sender may not get the reply.
      if (size > streamMaxLength)
        return socket.end('INSTREAM size limit exceeded. ERROR\0', () => socket.destroy());
      const chunk = await stream.take(length);
      if (!chunk) return;
      content.push(chunk);
    }
    if (simulator.behaviour === 'stay silent') return;
    simulator.scanned.push(size);
    const isInfected = Buffer.concat(content).includes(eicar);
    socket.end(isInfected ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the simulator has no port');
  simulator.port = address.port;
  return simulator;
}

const commandLine = 'zINSTREAM\0';

/** Reads exact numbers of bytes from a socket; undefined when it ends before. */
function createByteReader(socket: Socket) {
  const parts = socket[Symbol.asyncIterator]();
  let buffered = Buffer.alloc(0);
  return {
    take: async (bytes: number): Promise<Buffer | undefined> => {
      const read = [buffered];
      let size = buffered.length;
      while (size < bytes) {
        const { value, done } = await parts.next().catch(() => ({ value: undefined, done: true }));
        if (done) return undefined;
        read.push(value);
        size += value.length;
      }
      const all = Buffer.concat(read);
      buffered = all.subarray(bytes);
      return all.subarray(0, bytes);
    },
  };
}
