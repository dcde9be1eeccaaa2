import { fact } from './fact.ts';
export const moneyStates = fact;
