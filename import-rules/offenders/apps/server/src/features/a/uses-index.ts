import { a } from './index.ts';
export const usesIndex = a;
