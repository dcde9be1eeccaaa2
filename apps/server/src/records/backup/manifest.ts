import { Ajv, type JSONSchemaType } from 'ajv';
import {
  type BackedUpTable,
  BackupFault,
  type ErasedSubject,
  type SchemaVersion,
  type SequencePosition,
} from './ports.ts';

/** A file of a backup. */
export interface BackupFile {
  /** Size and SHA-256 of the file as it is stored. */
  bytes: number;
  sha256: string;
}

/** A compressed file of a backup. */
export interface CompressedFile extends BackupFile {
  /** SHA-256 of the content before it was compressed and encrypted. */
  contentSha256: string;
}

export const backupFormat = 'keyturn-backup/1';

/** Readable without a key; it says nothing about clients. */
export interface BackupManifest {
  format: typeof backupFormat;
  /** The version of Keyturn that made the backup. */
  keyturn: string;
  /** The moment whose state the backup contains. */
  takenAt: string;
  installationId: string;
  schema: SchemaVersion;
  isEncrypted: boolean;
  /** The cases and clients that were erased before the backup; missing in backups of earlier versions. */
  erased?: ErasedSubject[];
  contents: BackupFile;
}

/** The list of everything in the backup; encrypted if the backup is. */
export interface BackupContents {
  tables: (BackedUpTable & CompressedFile & { rows: number })[];
  sequences: SequencePosition[];
  documents: CompressedFile & {
    count: number;
    /** The key from which the names of encrypted documents are made; null if they are not encrypted. */
    nameKey: string | null;
    /** The SHA-256 of documents that were already missing or damaged when the backup was made. */
    damaged: string[];
    /** The SHA-256 of files that an erasure removed while the backup was made; missing in backups of earlier versions. */
    removed?: string[];
  };
}

const ajv = new Ajv();
const text = { type: 'string' } as const;
const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const file = { bytes: whole, sha256 };
const compressed = { ...file, contentSha256: sha256 };
const objectOf = <Properties extends object>(properties: Properties) =>
  ({ type: 'object', properties, required: Object.keys(properties) }) as const;

const erased = {
  type: 'array',
  items: objectOf({ kind: { enum: ['case', 'client'] }, id: { type: 'string', pattern: '^[0-9a-f-]{36}$' } }),
} as const;

const withOptional = (schema: { properties: object }, optional: object) => ({
  ...schema,
  properties: { ...schema.properties, ...optional },
});

const isManifest = ajv.compile<BackupManifest>(
  withOptional(
    objectOf({
      format: { const: backupFormat },
      keyturn: text,
      takenAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$' },
      installationId: text,
      schema: objectOf({ migration: { type: 'integer', minimum: 1 }, checksum: sha256 }),
      isEncrypted: { type: 'boolean' },
      contents: objectOf(file),
    }),
    { erased },
  ) as unknown as JSONSchemaType<BackupManifest>,
);

const isContents = ajv.compile<BackupContents>(
  objectOf({
    tables: {
      type: 'array',
      items: objectOf({
        name: { type: 'string', pattern: '^[a-z_0-9]+\\.[a-z_0-9]+$' },
        columns: { type: 'array', items: text },
        rows: whole,
        ...compressed,
      }),
    },
    sequences: {
      type: 'array',
      items: objectOf({ name: text, lastValue: text, isCalled: { type: 'boolean' } }),
    },
    documents: withOptional(
      objectOf({
        count: whole,
        nameKey: { type: ['string', 'null'] },
        damaged: { type: 'array', items: sha256 },
        ...compressed,
      }),
      { removed: { type: 'array', items: sha256 } },
    ),
  }) as unknown as JSONSchemaType<BackupContents>,
);

/** Parses a manifest. @throws BackupFault for anything but a manifest of a version that this build knows */
export function parseManifest(content: Buffer): BackupManifest {
  const parsed = parseJson(content);
  if (isManifest(parsed)) return parsed;
  const { format } = (parsed ?? {}) as { format?: unknown };
  if (typeof format === 'string' && /^keyturn-backup\/\d+$/.test(format) && format !== backupFormat)
    throw new BackupFault(
      `This backup has the format ${format}, and this Keyturn reads ${backupFormat}: restore it with a newer Keyturn.`,
    );
  throw new BackupFault('manifest.json is not the manifest of a Keyturn backup, or was altered.');
}

/** Parses the list of everything in a backup. */
export function parseContents(content: Buffer): BackupContents {
  const parsed = parseJson(content);
  if (isContents(parsed)) return parsed;
  throw new BackupFault('The list of contents of this backup cannot be read: it was altered.');
}

function parseJson(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the names of the files of a backup. */
export function backupFiles(isEncrypted: boolean) {
  const ending = isEncrypted ? '.age' : '';
  return {
    contents: `contents.json${ending}`,
    table: (name: string) => `tables/${name}.copy.gz${ending}`,
    documents: `documents.txt.gz${ending}`,
    ending,
  };
}
