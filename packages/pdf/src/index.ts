export { type AppendablePdf, openForAppending } from './appending/open-for-appending.ts';
export {
  baselineOffset,
  createTaggedDocument,
  type TaggedDocument,
  type TaggedDocumentOptions,
} from './document/tagged-document.ts';
export { createFontLibrary, type FontLibrary } from './fonts/font-library.ts';
export { createImagePage, detectImageType, type ImageType } from './images/image-page.ts';
export { findHiddenPart, findPartToFlatten } from './reading/find-part-to-flatten.ts';
export { readAsShown, type ShownDocument } from './reading/read-as-shown.ts';
export type { TextLine, TextStyle } from './text/text-style.ts';
export type { TextWriter } from './text/text-writer.ts';
export { UnsupportedDocumentError } from './unsupported-document-error.ts';
