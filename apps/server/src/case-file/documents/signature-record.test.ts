import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  findAltered,
  type SealedSignature,
  type SignatureRecord,
  sealSignature,
  sealSignedFile,
  signatureKey,
} from './signature-record.ts';

const key = signatureKey('a secret of an installation');

/** What records did not have before version 2 of the seal. */
const notRecorded = { signedInWith: null, confirmedWith: null, confirmedAt: null };

function chainOf(...names: string[]): SealedSignature[] {
  return chainWith({}, names);
}

function chainWith(overrides: Partial<SignatureRecord>, names: string[]): SealedSignature[] {
  const documentId = randomUUID();
  const chain: SealedSignature[] = [];
  for (const [index, name] of names.entries()) {
    const record: SignatureRecord = {
      id: randomUUID(),
      documentId,
      position: index + 1,
      clientId: randomUUID(),
      name,
      method: 'drawn',
      drawing: {
        width: 300,
        height: 100,
        strokes: [
          [1, 2, 3, 4],
          [5, 6],
        ],
      },
      consent: 'I mean it.',
      signedAt: new Date('2026-11-20T10:00:00.123Z'),
      address: '203.0.113.9',
      sha256: 'a'.repeat(64),
      signedInWith: 'password_and_code',
      confirmedWith: 'passkey',
      confirmedAt: new Date('2026-11-20T09:59:00.123Z'),
      ...overrides,
    };
    chain.push({ ...record, mac: sealSignature(key, record, chain.at(-1)?.mac ?? null) });
  }
  return chain;
}

const fixedRecord = {
  id: '5b1c7f0e-0c55-4f6e-9f53-0a3c1d7e2b11',
  documentId: '8d0f3c6a-97c1-4a3e-8f7c-2b9f0c1d5e22',
  clientId: '0c9a7f4e-3b1d-4f55-8a44-6d5c2b1a0f33',
};

const changes: { [Field in keyof SignatureRecord]: (record: SealedSignature) => void } = {
  id: (record) => Object.assign(record, { id: randomUUID() }),
  documentId: (record) => Object.assign(record, { documentId: randomUUID() }),
  position: (record) => Object.assign(record, { position: record.position + 1 }),
  clientId: (record) => Object.assign(record, { clientId: randomUUID() }),
  name: (record) => Object.assign(record, { name: `${record.name} ` }),
  method: (record) => Object.assign(record, { method: 'typed' }),
  drawing: (record) =>
    Object.assign(record, { drawing: { width: 300, height: 100, strokes: [[1, 2, 3, 5]] } }),
  consent: (record) => Object.assign(record, { consent: 'I do not.' }),
  signedAt: (record) => Object.assign(record, { signedAt: new Date(record.signedAt.getTime() + 1) }),
  address: (record) => Object.assign(record, { address: '203.0.113.8' }),
  sha256: (record) => Object.assign(record, { sha256: 'b'.repeat(64) }),
  signedInWith: (record) => Object.assign(record, { signedInWith: 'passkey' }),
  confirmedWith: (record) => Object.assign(record, { confirmedWith: 'password' }),
  confirmedAt: (record) => Object.assign(record, { confirmedAt: new Date('2026-11-20T09:59:00.124Z') }),
};

describe('signature records', () => {
  test('unchanged signature records verify for names in any script', () => {
    expect(findAltered(key, chainOf("O'Brien-Łukasiewicz", '李小龍', 'יעל כהן', 'Zoë 🌻'))).toEqual([]);
    expect(findAltered(key, [])).toEqual([]);
  });

  test.each(Object.entries(changes))(
    'verification detects a changed %s in a signature record',
    (_field, change) => {
      const chain = chainOf('Amelia Okafor', 'Tom Okafor');
      const [first] = chain;
      if (first) change(first);
      expect(findAltered(key, chain)).toEqual([first]);
    },
  );

  test('a signature record from before the sign-in method was recorded verifies with the first version of the seal', () => {
    const [former] = chainWith({ ...notRecorded, ...fixedRecord }, ['Amelia Okafor']);
    // Computed with the code before version 2.
    expect(former?.mac.toString('hex')).toBe(
      '70e825583c353c0e9fc57ce0806302bd572a58dc1840d4610a946378c80a4664',
    );
    const chain = chainWith(notRecorded, ['Amelia Okafor']);
    expect(findAltered(key, chain)).toEqual([]);
  });

  test.each([
    ['a sign-in method', { signedInWith: 'passkey' }],
    ['a confirmation', { confirmedWith: 'passkey', confirmedAt: new Date(0) }],
  ])('verification detects %s that was added to a former signature record', (_what, added) => {
    const chain = chainWith(notRecorded, ['Amelia Okafor']);
    for (const record of chain) Object.assign(record, added);
    expect(findAltered(key, chain)).toEqual(chain);
  });

  test('verification detects a signature record whose proofs of identity were removed', () => {
    const chain = chainOf('Amelia Okafor');
    for (const record of chain) Object.assign(record, notRecorded);
    expect(findAltered(key, chain)).toEqual(chain);
  });

  test('verification detects a removed, repeated or reordered signature record', () => {
    const [one, two, three] = chainOf('A', 'B', 'C') as [SealedSignature, SealedSignature, SealedSignature];
    expect(findAltered(key, [two, three])).not.toEqual([]);
    expect(findAltered(key, [one, three])).toEqual([three]);
    expect(findAltered(key, [one, one, two])).not.toEqual([]);
    expect(findAltered(key, [two, one, three])).not.toEqual([]);
    // Renumbered to hide the gap: the chain still reveals it.
    expect(findAltered(key, [one, { ...three, position: 2 }])).not.toEqual([]);
  });

  test('signature records do not verify with another secret', () => {
    const chain = chainOf('Amelia Okafor');
    expect(findAltered(signatureKey('another'), chain)).toEqual(chain);
  });

  test('a signed copy verifies only with its signature', () => {
    const [one, two] = chainOf('A', 'B') as [SealedSignature, SealedSignature];
    const file = { signatureId: one.id, sha256: 'c'.repeat(64), size: 10, madeAt: new Date(0) };
    const mac = sealSignedFile(key, file, one.mac);
    expect(sealSignedFile(key, file, one.mac)).toEqual(mac);
    expect(sealSignedFile(key, file, two.mac)).not.toEqual(mac);
    for (const other of [
      { signatureId: two.id },
      { sha256: 'd'.repeat(64) },
      { size: 11 },
      { madeAt: new Date(1) },
    ])
      expect(sealSignedFile(key, { ...file, ...other }, one.mac)).not.toEqual(mac);
  });
});
