import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { expect, test, vi } from 'vitest';
import type { ArchivedFile } from '../../records/data-protection/ports.ts';
import { openArchive } from './write-archive.ts';

test('an archive opens its files one after another, and not before they are read', async () => {
  const opened: string[] = [];
  async function* files(): AsyncIterable<ArchivedFile> {
    for (const name of ['one.txt', 'two.txt']) {
      opened.push(name);
      yield { name, content: Readable.from(Array.from({ length: 64 }, (_, index) => random(index))) };
    }
  }
  const archive = openArchive(files());
  await vi.waitFor(() => expect(archive.readableLength).toBeGreaterThan(0));
  expect(opened).toEqual(['one.txt']);
  const entries = unzipSync(await buffer(archive));
  expect(Object.entries(entries).map(([name, { length }]) => [name, length])).toEqual([
    ['one.txt', 64 * 16_384],
    ['two.txt', 64 * 16_384],
  ]);
});

/** Bytes that cannot be compressed, so that the archive is as large as its files. */
function random(seed: number): Buffer {
  const bytes = Buffer.alloc(16_384);
  for (let index = 0, value = seed + 1; index < bytes.length; index += 1) {
    value = (value * 48_271) % 2_147_483_647;
    bytes[index] = value >> 8;
  }
  return bytes;
}

test('an archive whose reader leaves closes the open file and opens no other', async () => {
  const endless = new Readable({
    read() {
      this.push(random(1));
    },
  });
  const ended = vi.fn();
  async function* files(): AsyncIterable<ArchivedFile> {
    try {
      yield { name: 'endless', content: endless };
    } finally {
      ended();
    }
  }
  const archive = openArchive(files());
  await vi.waitFor(() => expect(archive.readableLength).toBeGreaterThan(0));
  archive.destroy();
  await vi.waitFor(() => expect([endless.destroyed, ended.mock.calls.length]).toEqual([true, 1]));
});

test('an archive fails with the error of a file, so that a part of it never looks complete', async () => {
  async function* files(): AsyncIterable<ArchivedFile> {
    yield { name: 'client.json', content: Readable.from([Buffer.from('{}')]) };
    throw new Error('the store is unavailable');
  }
  await expect(buffer(openArchive(files()))).rejects.toThrow('the store is unavailable');
});
