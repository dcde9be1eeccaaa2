import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentMediaTypes } from '@keyturn/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFeedDocument } from './read-document.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyturn-document-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(name: string, content: Buffer) {
  writeFileSync(join(folder, name), content);
  return readFeedDocument(folder, name);
}
const bytes = (text: string) => Buffer.from(text, 'latin1');

const kinds = {
  'application/pdf': '%PDF-1.7\n',
  'image/jpeg': '\xff\xd8\xff\xe0\0\x10JFIF',
  'image/png': '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
  'image/webp': 'RIFF\x24\0\0\0WEBPVP8 ',
};

describe('readFeedDocument', () => {
  test('recognises every displayable type of document by content, not by file name', async () => {
    expect(Object.keys(kinds)).toEqual([...documentMediaTypes]);
    for (const [mediaType, start] of Object.entries(kinds)) {
      expect(await read('named.txt', bytes(start))).toMatchObject({ mediaType, fileName: 'named.txt' });
    }
  });

  test.each([
    ['a page', 'page.pdf', '<!doctype html><script>alert(1)</script>'],
    ['a drawing with a script', 'plan.png', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a PDF whose header is cut off after 1,024 bytes', 'late.pdf', `${' '.repeat(1_020)}%PDF-1.7`],
    ['a PDF that starts after 1,024 bytes', 'later.pdf', `${' '.repeat(1_024)}%PDF-1.7`],
    ['sound in the frame of WebP', 'sound.webp', 'RIFF\x24\0\0\0WAVEfmt '],
    ['a start that is cut off', 'cut.png', '\x89PNG\r\n'],
    ['a moving picture', 'film.gif', 'GIF89a'],
  ])('the import of a document rejects %s with field and reason', async (_what, name, content) => {
    await expect(read(name, bytes(content))).rejects.toMatchObject({
      field: '/file',
      message: 'must be a PDF, JPEG, PNG or WebP',
    });
  });

  test.each([1, 5, 1_019])('accepts a PDF with %i other bytes before its header', async (count) => {
    const file = await read('late.pdf', bytes(`${'\n'.repeat(count)}%PDF-1.7`));
    expect(file.mediaType).toBe('application/pdf');
    expect(file.content).toHaveLength(count + 8);
  });

  test.each(['MZ', 'PK\x03\x04', '\x7fELF', ' <!doctype html>'])(
    'rejects a file that starts as a program, an archive or a web page and contains the header of a PDF: %j',
    async (start) => {
      await expect(read('late.pdf', bytes(`${start}\n%PDF-1.7`))).rejects.toMatchObject({
        message: 'must be a PDF, JPEG, PNG or WebP',
      });
    },
  );

  test('accepts a document of up to 25 MB', async () => {
    const most = Buffer.alloc(25 * 1024 * 1024, '%PDF-1.7 ');
    expect((await read('most.pdf', most)).content).toHaveLength(most.length);
    await expect(read('more.pdf', Buffer.concat([most, bytes('.')]))).rejects.toMatchObject({
      field: '/file',
      message: 'is larger than 25 MB',
    });
  });
});
