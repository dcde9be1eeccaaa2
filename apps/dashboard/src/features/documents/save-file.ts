/** Hands a file to the browser to be saved under its name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes the address up at once, and reads the file from it for a while.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
