export const fact = 1;
