export const compose = 1;
