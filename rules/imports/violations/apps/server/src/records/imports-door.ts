import { value } from '../doors/value.ts';
export const importsDoor = value;
