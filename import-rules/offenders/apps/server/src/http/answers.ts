import { fact } from '../features/a/fact.ts';
export const answers = fact;
