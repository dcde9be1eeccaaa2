/** What the signed copy of a file is called: "contract.pdf" becomes "contract (signed).pdf". It is always a PDF. */
export const signedFileName = (fileName: string): string =>
  `${fileName.replace(/\.(pdf|png|jpe?g|webp)$/i, '')} (signed).pdf`;
