import styles from './print-images.module.css';

/**
 * Prints pictures, one to a sheet of paper, and nothing else of the page. The policy allows no frame to print from, and
 * not every browser prints a PDF in one. Resolves when the browser's own dialog has been opened or closed.
 * @throws the signal's reason when aborted before
 */
export async function printPictures(
  count: number,
  pictureOf: (index: number) => Promise<Blob>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(done: number): void },
): Promise<void> {
  const sheets = document.createElement('div');
  sheets.className = styles.sheets ?? '';
  sheets.ariaHidden = 'true';
  sheets.dataset.neverRecorded = '';
  const addresses: string[] = [];
  const remove = () => {
    sheets.remove();
    for (const address of addresses) URL.revokeObjectURL(address);
  };
  try {
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      const address = URL.createObjectURL(await pictureOf(index));
      addresses.push(address);
      const picture = document.createElement('img');
      picture.alt = '';
      picture.src = address;
      await picture.decode();
      const sheet = document.createElement('div');
      sheet.append(picture);
      sheets.append(sheet);
      onProgress(index + 1);
    }
    signal.throwIfAborted();
  } catch (error) {
    remove();
    throw error;
  }
  document.body.append(sheets);
  // Where printing goes on after the call, it says when it is over.
  window.addEventListener('afterprint', remove, { once: true });
  signal.addEventListener('abort', remove, { once: true });
  window.print();
}
