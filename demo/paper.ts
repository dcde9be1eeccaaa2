import type { CaseFeed } from '@keyturn/contract';
import type { Letter } from './render-letter.ts';

type FeedDocument = NonNullable<CaseFeed['documents']>[number];

/** A document of the feed together with its content. Its file is called `name` plus the extension. */
export interface Paper extends Omit<FeedDocument, 'file' | 'pages'> {
  name: string;
  /** A letter, or a picture in `pictures/`. */
  content: Letter | 'picture';
}

export const fileNameOf = ({ name, content }: Paper) => `${name}.${content === 'picture' ? 'png' : 'pdf'}`;

/** Returns the feed entry of a paper, without `pages`: the number is known once the paper is rendered. */
export function toFeedDocument(paper: Paper): FeedDocument {
  const { name: _name, content: _content, ...document } = paper;
  return { ...document, file: `documents/${fileNameOf(paper)}` };
}
