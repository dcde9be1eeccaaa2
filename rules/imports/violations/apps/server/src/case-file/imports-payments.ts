import { value } from '../payments/value.ts';
export const importsPayments = value;
