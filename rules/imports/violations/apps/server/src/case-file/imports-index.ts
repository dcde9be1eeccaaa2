import { a } from './index.ts';
export const importsIndex = a;
