import type { CaseFeed } from '@keyturn/contract';
import type { Letter } from './render-letter.ts';

type FeedDocument = NonNullable<CaseFeed['documents']>[number];

/** A document of the feed together with what stands on it. Its file is named after it. */
export interface Paper extends Omit<FeedDocument, 'file' | 'pages'> {
  name: string;
  content: Letter | PictureDrawer;
}

/** Draws a PNG. */
export type PictureDrawer = () => Buffer;

export const fileNameOf = ({ name, content }: Paper) =>
  `${name}.${typeof content === 'function' ? 'png' : 'pdf'}`;

/** As it stands in the feed; `pages` is added when it is set. */
export function toFeedDocument(paper: Paper): FeedDocument {
  const { name: _name, content: _content, ...document } = paper;
  return { ...document, file: `documents/${fileNameOf(paper)}` };
}
