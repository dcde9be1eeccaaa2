import { value } from './value.ts';
export const impureStates = value;
