import type { CaseFeed } from '@keyturn/contract';
import type { Letter } from './letter.ts';

type FeedDocument = NonNullable<CaseFeed['documents']>[number];

/** A document of the feed together with what stands on it. Its file is named after it. */
export interface Paper extends Omit<FeedDocument, 'file' | 'pages'> {
  name: string;
  content: Letter | Picture;
}

/** Draws a PNG. */
export type Picture = () => Buffer;

export const fileOf = ({ name, content }: Paper) =>
  `${name}.${typeof content === 'function' ? 'png' : 'pdf'}`;

/** As it stands in the feed; `pages` is added when it is set. */
export function inFeed(paper: Paper): FeedDocument {
  const { name: _name, content: _content, ...document } = paper;
  return { ...document, file: `documents/${fileOf(paper)}` };
}
