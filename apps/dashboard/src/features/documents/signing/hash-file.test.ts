import { afterEach, expect, test, vi } from 'vitest';
import { hashFile } from './hash-file.ts';

afterEach(() => void vi.unstubAllGlobals());

test('computes the SHA-256 of the file that a client was shown', async () => {
  expect(await hashFile(new Blob(['abc']))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('computes no SHA-256 on a page without HTTPS', async () => {
  vi.stubGlobal('crypto', {});
  expect(await hashFile(new Blob(['abc']))).toBeUndefined();
});
