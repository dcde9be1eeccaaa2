import type { FontFace, FontFile, FontWeight } from '../fonts/font-library.ts';

export interface TextStyle {
  face: FontFace;
  weight: FontWeight;
  /** Points. */
  size: number;
  colour: string;
  /** Gives all digits the same width, for columns of figures. */
  tabular?: boolean;
}

/** A laid out line: pieces in logical order, each with its position. Lengths are in points. */
export interface TextLine {
  /** From the left to the right end of the line. */
  width: number;
  pieces: readonly TextPiece[];
}

export interface TextPiece {
  font: FontFile;
  text: string;
  x: number;
}
