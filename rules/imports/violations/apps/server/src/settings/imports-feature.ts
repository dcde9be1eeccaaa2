import { value } from '../features/a/value.ts';
export const importsFeature = value;
