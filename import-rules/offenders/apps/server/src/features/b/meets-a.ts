import { fact } from '../a/fact.ts';
export const meetsA = fact;
