import { isOnThisMachine } from './is-on-this-machine.ts';
import type { SettingReader } from './setting-reader.ts';

/** Where documents and the archive of the audit log are stored, and what checks documents before. */
export interface DocumentSettings {
  /** Null: in the data directory. */
  s3: S3Settings | null;
  /** The ClamAV daemon that scans received files; null: they are not scanned. */
  virusScanner: { host: string; port: number } | { path: string } | null;
  /** Where the audit log is archived; null: it is not. */
  auditArchive: { folder: string } | { s3: S3Settings } | null;
}

export interface S3Settings {
  bucket: string;
  region: string;
  /** The address of a store other than Amazon’s; null: Amazon’s. */
  endpoint: string | null;
  prefix: string;
  /** Null: those that the environment provides, such as a role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null;
  usesPathStyle: boolean;
  /** How the store is asked to encrypt new files; null: as the bucket is set up. */
  encryption: { algorithm: 'AES256' | 'aws:kms' | 'aws:kms:dsse'; keyId: string | null } | null;
}

export function readDocumentSettings(reader: SettingReader): DocumentSettings {
  const isS3 = reader.choice('KEYTURN_DOCUMENT_STORE', ['folder', 's3'], 'folder') === 's3';
  const bucket = reader.optionalText('KEYTURN_S3_BUCKET', {
    expected: 'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
  });
  const region = reader.text('KEYTURN_S3_REGION', 'eu-west-2', {
    expected: 'a region such as eu-west-2',
    pattern: /^[a-z0-9-]{1,40}$/,
  });
  const endpoint = reader.optionalText('KEYTURN_S3_ENDPOINT', {
    expected: 'an address such as https://storage.example.com or https://example.com/storage',
    pattern: /^https?:\/\/[\w.-]+(:\d{1,5})?(\/[\w.-]+)*\/?$/,
  });
  const prefix = reader.text('KEYTURN_S3_PREFIX', '', {
    expected: 'a path that ends with a slash, such as keyturn/documents/',
    pattern: /^([\w.-]+\/)*$/,
  });
  const usesPathStyle = reader.isOn('KEYTURN_S3_PATH_STYLE', endpoint === null ? 'off' : 'on');
  const credentials = readCredentials(reader);
  const encryption = readEncryption(reader);
  if (isS3 && bucket === null) reader.report('KEYTURN_S3_BUCKET must be set if KEYTURN_DOCUMENT_STORE is s3');
  if (!isS3 && bucket !== null)
    reader.report('KEYTURN_S3_BUCKET has no effect unless KEYTURN_DOCUMENT_STORE is s3');
  if (isS3 && endpoint?.startsWith('http:') && !isOnThisMachine(new URL(endpoint).hostname))
    reader.warn('KEYTURN_S3_ENDPOINT starts with http, so documents travel unencrypted: use https');
  const s3 = { region, endpoint, prefix, credentials, usesPathStyle, encryption };
  return {
    s3: isS3 && bucket !== null ? { bucket, ...s3 } : null,
    virusScanner: readVirusScanner(reader),
    auditArchive: readAuditArchive(reader, s3),
  };
}

function readAuditArchive(
  reader: SettingReader,
  s3: Omit<S3Settings, 'bucket'>,
): DocumentSettings['auditArchive'] {
  const place = reader.optionalText('KEYTURN_AUDIT_ARCHIVE', {
    expected:
      'an absolute path, or a bucket and a path that ends with a slash, such as s3://firm-archive/keyturn/',
    pattern: /^(\/.{1,500}|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/([\w.-]+\/)*)$/,
  });
  if (place === null) return null;
  const [, bucket, prefix] = /^s3:\/\/([^/]+)\/(.*)$/.exec(place) ?? [];
  return bucket === undefined || prefix === undefined ? { folder: place } : { s3: { ...s3, bucket, prefix } };
}

function readVirusScanner(reader: SettingReader): DocumentSettings['virusScanner'] {
  const address = reader.optionalText('KEYTURN_VIRUS_SCANNER', {
    expected: 'the address of clamd, such as clamd.internal:3310 or /run/clamav/clamd.ctl',
    pattern: /^(\/.{1,100}|([\w.-]{1,200}|\[[\da-fA-F:]{2,45}\]):[1-9]\d{0,4})$/,
  });
  if (address === null) return null;
  if (address.startsWith('/')) return { path: address };
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(address.slice(colon + 1)) };
}

function readCredentials(reader: SettingReader) {
  const accessKeyId = reader.secret('KEYTURN_S3_ACCESS_KEY_ID');
  const secretAccessKey = reader.secret('KEYTURN_S3_SECRET_ACCESS_KEY');
  if ((accessKeyId === null) !== (secretAccessKey === null))
    reader.report('KEYTURN_S3_ACCESS_KEY_ID and KEYTURN_S3_SECRET_ACCESS_KEY must be set together');
  return accessKeyId !== null && secretAccessKey !== null ? { accessKeyId, secretAccessKey } : null;
}

function readEncryption(reader: SettingReader) {
  const choices = ['bucket', 'AES256', 'aws:kms', 'aws:kms:dsse'] as const;
  const algorithm = reader.choice('KEYTURN_S3_SERVER_SIDE_ENCRYPTION', choices, 'bucket');
  const keyId = reader.optional('KEYTURN_S3_KMS_KEY_ID');
  if (keyId !== null && !algorithm.startsWith('aws:kms'))
    reader.report(
      'KEYTURN_S3_KMS_KEY_ID has no effect unless KEYTURN_S3_SERVER_SIDE_ENCRYPTION is aws:kms or aws:kms:dsse',
    );
  return algorithm === 'bucket' ? null : { algorithm, keyId };
}
