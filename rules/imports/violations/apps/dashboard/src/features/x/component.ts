export const component = 1;
