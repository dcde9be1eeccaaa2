import styles from './print-images.module.css';

/**
 * Prints images, one per sheet of paper, without the rest of the page. Resolves once the browser’s print dialog has
 * opened or closed. It prints images because the content security policy allows no frame, and because some browsers
 * cannot print a PDF in one.
 * @throws the signal’s reason when aborted before the dialog opens
 */
export async function printImages(
  count: number,
  loadImage: (index: number) => Promise<Blob>,
  { signal, onProgress }: { signal: AbortSignal; onProgress(done: number): void },
): Promise<void> {
  const sheets = document.createElement('div');
  sheets.className = styles.sheets ?? '';
  sheets.ariaHidden = 'true';
  sheets.dataset.neverRecorded = '';
  const urls: string[] = [];
  const remove = () => {
    sheets.remove();
    for (const url of urls) URL.revokeObjectURL(url);
  };
  try {
    for (let index = 0; index < count; index += 1) {
      signal.throwIfAborted();
      const url = URL.createObjectURL(await loadImage(index));
      urls.push(url);
      const image = document.createElement('img');
      image.alt = '';
      image.src = url;
      await image.decode();
      const sheet = document.createElement('div');
      sheet.append(image);
      sheets.append(sheet);
      onProgress(index + 1);
    }
    signal.throwIfAborted();
  } catch (error) {
    remove();
    throw error;
  }
  document.body.append(sheets);
  // In some browsers print() returns before printing has finished.
  window.addEventListener('afterprint', remove, { once: true });
  signal.addEventListener('abort', remove, { once: true });
  window.print();
}
