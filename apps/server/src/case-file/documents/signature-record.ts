import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignInMethod, StepUpMethod } from '@keyturn/contract';
import type { SignatureDrawing } from '../../schema/tables/tables.ts';

/** The content of a signature, all of it covered by its MAC. */
export interface SignatureRecord {
  id: string;
  documentId: string;
  /** Position among the document's signatures, from 1. */
  position: number;
  clientId: string;
  name: string;
  method: 'typed' | 'drawn';
  drawing: SignatureDrawing | null;
  consent: string;
  signedAt: Date;
  address: string;
  /** SHA-256 of the signed file, in hex. */
  sha256: string;
  /** Null in records from before it was recorded, whose seal has version 1. */
  signedInWith: SignInMethod | null;
  /** How and when the client confirmed their identity; null if the firm did not ask for it. */
  confirmedWith: StepUpMethod | null;
  confirmedAt: Date | null;
}

export interface SealedSignature extends SignatureRecord {
  mac: Buffer;
}

/** The signed copy made for a signature, with all earlier signatures. */
export interface SignedFileRecord {
  signatureId: string;
  sha256: string;
  size: number;
  madeAt: Date;
}

/** Derives the key that seals records from the installation's secret, which the key does not reveal. */
export const signatureKey = (secret: string): Buffer =>
  createHmac('sha256', secret).update('document signatures').digest();

/**
 * Computes the MAC of a record: HMAC-SHA256 over its canonical form and the MAC of the previous signature on the
 * document. It reveals a record that was changed, moved or removed from the middle.
 * @param previous null for the first signature
 */
export function sealSignature(key: Buffer, record: SignatureRecord, previous: Buffer | null): Buffer {
  const { drawing, signedInWith, confirmedWith, confirmedAt } = record;
  const isFormer = signedInWith === null && confirmedWith === null && confirmedAt === null;
  return seal(key, [
    isFormer ? 'keyturn-signature/1' : 'keyturn-signature/2',
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
    ...(isFormer ? [] : [signedInWith, confirmedWith, confirmedAt?.toISOString() ?? null]),
    previous?.toString('hex') ?? null,
  ]);
}

/**
 * Computes the MAC of a signed copy.
 * @param signature the MAC of the signature that the copy was made for
 */
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
 * Finds the records of a document that do not match their seal: changed, or following a changed or removed one.
 * @param signatures all signatures of the document, by position
 */
export function findAltered(key: Buffer, signatures: readonly SealedSignature[]): SealedSignature[] {
  return signatures.filter((signature, index) => {
    const previous = signatures[index - 1]?.mac ?? null;
    return (
      signature.position !== index + 1 ||
      !isSameSignature(signature.mac, sealSignature(key, signature, previous))
    );
  });
}

/** Returns how and when the client confirmed their identity; null if the firm did not ask for it. */
export const confirmationOf = ({
  confirmedWith: method,
  confirmedAt: at,
}: SignatureRecord): { method: StepUpMethod; at: Date } | null => (method && at ? { method, at } : null);

export const isSameSignature = (a: Buffer, b: Buffer): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

const seal = (key: Buffer, content: unknown[]) =>
  createHmac('sha256', key).update(JSON.stringify(content)).digest();
