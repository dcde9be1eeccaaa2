import { page } from '../x/page.ts';
export const importsFeatureX = page;
