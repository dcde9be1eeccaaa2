import { value } from '../a/value.ts';
export const importsFeatureA = value;
