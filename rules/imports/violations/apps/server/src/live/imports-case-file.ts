import { value } from '../case-file/value.ts';
export const importsCaseFile = value;
