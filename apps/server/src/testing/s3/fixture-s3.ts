/// <reference path="./s3rver.d.ts" />
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

export interface FixtureS3 {
  url: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  put(bucket: string, key: string, content: Buffer): Promise<void>;
  get(bucket: string, key: string): Promise<Buffer>;
  stop(): Promise<void>;
}

/**
 * Starts an S3 server with these buckets in this process.
 * @param options.checksSignatures false to list a bucket, whose path the server computes without the client’s final slash
 */
export async function startFixtureS3(
  buckets: string[],
  { checksSignatures = true } = {},
): Promise<FixtureS3> {
  const directory = mkdtempSync(join(tmpdir(), 'keyturn-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    resetOnClose: false,
    allowMismatchedSignatures: !checksSignatures,
    configureBuckets: buckets.map((name) => ({ name })),
  });
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  const client = new S3Client({
    endpoint: url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    url,
    credentials,
    put: async (bucket, key, content) => {
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: content }));
    },
    get: async (bucket, key) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    stop: async () => {
      client.destroy();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
