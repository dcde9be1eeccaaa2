import { page } from '../features/x/page.ts';
export const importsFeatureX = page;
