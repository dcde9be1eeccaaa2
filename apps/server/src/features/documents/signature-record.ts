import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignatureDrawing } from '../../platform/tables.ts';

/** All that a signature says, and all that its MAC covers. */
export interface SignatureRecord {
  id: string;
  documentId: string;
  /** 1 for the first on its document. */
  position: number;
  clientId: string;
  name: string;
  method: 'typed' | 'drawn';
  drawing: SignatureDrawing | null;
  consent: string;
  signedAt: Date;
  address: string;
  /** Of the file that was signed, in hex. */
  sha256: string;
}

export interface SealedSignature extends SignatureRecord {
  mac: Buffer;
}

/** The PDF that was made with all signatures up to one. */
export interface SignedFileRecord {
  signatureId: string;
  sha256: string;
  size: number;
  madeAt: Date;
}

/** The key of the records, of an installation's secret: knowing one does not tell the other. */
export const signatureKey = (secret: string): Buffer =>
  createHmac('sha256', secret).update('document signatures').digest();

/**
 * HMAC-SHA256 over a record in its one written form and the MAC of the signature before on the same document: a
 * record can neither be changed, nor taken out of the middle, nor moved, unseen.
 * @param previous null for the first
 */
export function sealSignature(key: Buffer, record: SignatureRecord, previous: Buffer | null): Buffer {
  const { drawing } = record;
  return seal(key, [
    'keyturn-signature/1',
    record.id,
    record.documentId,
    record.position,
    record.clientId,
    record.name,
    record.method,
    drawing && [drawing.width, drawing.height, drawing.strokes],
    record.consent,
    record.signedAt.toISOString(),
    record.address,
    record.sha256,
    previous?.toString('hex') ?? null,
  ]);
}

/** @param signature the MAC of the signature that the file was made for */
export const sealSignedFile = (key: Buffer, file: SignedFileRecord, signature: Buffer): Buffer =>
  seal(key, [
    'keyturn-signed-file/1',
    file.signatureId,
    file.sha256,
    file.size,
    file.madeAt.toISOString(),
    signature.toString('hex'),
  ]);

/**
 * Which records of one document are not what was sealed: changed, or following one that was changed or taken out.
 * @param signatures all of them, by position
 */
export function findAltered(key: Buffer, signatures: readonly SealedSignature[]): SealedSignature[] {
  return signatures.filter((signature, index) => {
    const previous = signatures[index - 1]?.mac ?? null;
    return (
      signature.position !== index + 1 || !isSame(signature.mac, sealSignature(key, signature, previous))
    );
  });
}

export const isSame = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

const seal = (key: Buffer, content: unknown[]) =>
  createHmac('sha256', key).update(JSON.stringify(content)).digest();
