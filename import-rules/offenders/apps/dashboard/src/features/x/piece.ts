export const piece = 1;
