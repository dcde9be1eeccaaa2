import { importsFeatureX } from '../ui/imports-feature-x.ts';
export const importsUi = importsFeatureX;
