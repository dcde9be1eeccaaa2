/** Points: 20 mm, on each side of a picture. */
export const pageMargin = 56.7;
