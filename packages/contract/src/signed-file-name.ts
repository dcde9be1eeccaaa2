/** The name of the signed copy, which is always a PDF: "contract.pdf" becomes "contract (signed).pdf". */
export const signedFileName = (fileName: string): string =>
  `${fileName.replace(/\.(pdf|png|jpe?g|webp)$/i, '')} (signed).pdf`;
