import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { hostAndPort } from '../../platform/describe-error.ts';
import { FileStoreUnavailable } from '../../platform/stored-file.ts';
import { findFailure } from './s3-failures.ts';

export interface S3Location {
  bucket: string;
  region: string;
  /** The address of a store other than Amazon’s; null: Amazon’s. */
  endpoint: string | null;
  /** Null: the credentials that the environment provides, such as those of a role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  /** Whether the bucket is part of the path instead of the host name. */
  usesPathStyle: boolean;
  /** How the store is asked to encrypt new files; null: as the bucket is set up. */
  encryption?: { algorithm: 'AES256' | 'aws:kms' | 'aws:kms:dsse'; keyId: string | null } | null;
}

export interface S3Timeouts {
  /** Milliseconds for opening a connection. */
  connection: number;
  /** Milliseconds for the start of an answer, and for each further part of it. An upload has more by its size. */
  answer: number;
}

interface FoundObject {
  /** Throws if the next chunk does not arrive in time. */
  chunks: AsyncIterable<Buffer>;
  /** For example `bytes 0-99/100`; undefined unless a range was requested. */
  contentRange: string | undefined;
  /** Changes whenever the object does; undefined if the store does not say. */
  etag: string | undefined;
}

/** The objects of a bucket. All functions reject with the errors of the S3 client, unless `attempt` runs them. */
export interface S3Objects {
  get(key: string): Promise<FoundObject>;
  /**
   * Reads a range for a reader who may be slow, on a connection that no other request waits for.
   * @param signal releases the connection, whatever the store sends
   */
  stream(key: string, range: { start: number; end: number }, signal: AbortSignal): Promise<FoundObject>;
  /** Rejects if the object does not exist, as the others do. */
  find(key: string): Promise<Pick<FoundObject, 'etag'>>;
  put(key: string, content: Buffer): Promise<void>;
  remove(key: string): Promise<void>;
  /** Lists up to 1,000 keys. @param after the last key of the previous list; undefined for the first */
  list(prefix: string, after: string | undefined): Promise<string[]>;
  /**
   * Runs work that uses the objects, and again if the connection breaks off meanwhile.
   * @returns null if an object does not exist
   * @throws FileStoreUnavailable
   */
  attempt<Result>(work: () => Promise<Result>): Promise<Result | null>;
  close(): void;
}

/** @param fail is called with the reason of a failure that remains */
export function createS3Objects(
  location: S3Location,
  timeouts: S3Timeouts,
  fail: (reason: string, isRefused: boolean) => never,
): S3Objects {
  const { bucket, encryption } = location;
  const client = createClient(location, timeouts, 100);
  const streamClient = createClient(location, timeouts, maxStreams);
  const read = async (from: S3Client, key: string, Range?: string, signal?: AbortSignal) => {
    const found = await from.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
    const body = found.Body as Readable;
    const stop = () => void body.destroy();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
    return { chunks: readChunks(body, timeouts.answer), contentRange: found.ContentRange, etag: found.ETag };
  };
  const host = hostAndPort(location.endpoint ?? `https://s3.${location.region}.amazonaws.com`);
  const attempt = async <Result>(work: () => Promise<Result>, attempts = 2): Promise<Result | null> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FileStoreUnavailable) throw error;
      const failure = findFailure(error, bucket, host);
      if (failure === 'missing') return null;
      if (failure.mayPass && attempts > 1) return attempt(work, attempts - 1);
      return fail(failure.reason, failure.isRefused);
    }
  };
  return {
    attempt,
    get: (key) => read(client, key),
    stream: (key, { start, end }, signal) => read(streamClient, key, `bytes=${start}-${end}`, signal),
    find: async (key) => ({
      etag: (await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }))).ETag,
    }),
    put: async (key, content) => {
      const length = content.length;
      // The time counts from the start of the upload.
      const requestTimeout = timeouts.answer + Math.ceil(length / minUploadRate);
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: content,
          ContentLength: length,
          ...(encryption && { ServerSideEncryption: encryption.algorithm }),
          ...(encryption?.keyId && { SSEKMSKeyId: encryption.keyId }),
        }),
        { requestTimeout },
      );
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
    list: async (prefix, after) => {
      const request = { Bucket: bucket, Prefix: prefix, StartAfter: after };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(request));
      return Contents.flatMap(({ Key }) => Key ?? []);
    },
    close: () => {
      client.destroy();
      streamClient.destroy();
    },
  };
}

/** Bytes a millisecond: 2 Mbit/s. */
const minUploadRate = 250;

/** More than the server allows downloads, because the time that a request waits for a connection counts as the store's. */
const maxStreams = 250;

/** The client makes three attempts, with growing pauses. @param maxSockets the maximum number of connections */
const createClient = (
  { region, endpoint, credentials, usesPathStyle }: S3Location,
  { connection, answer }: S3Timeouts,
  maxSockets: number,
) =>
  new S3Client({
    region,
    forcePathStyle: usesPathStyle,
    ...(endpoint === null ? {} : { endpoint }),
    ...(credentials ? { credentials } : {}),
    maxAttempts: 3,
    // Many compatible stores do not know Amazon’s newer checksums, and files are compared by their SHA-256 anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connection,
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets },
      httpsAgent: { maxSockets },
    },
  });

/**
 * Reads a body, and fails if its next chunk does not arrive in time. The time that the reader takes does not count,
 * because clients on slow connections read slowly.
 */
async function* readChunks(body: Readable, timeout: number): AsyncGenerator<Buffer> {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(new Error('the answer stopped')), timeout);
      const { done, value } = await chunks.next().finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    body.destroy();
  }
}
