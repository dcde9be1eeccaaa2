import { two } from './ring-two.ts';
export const one = () => two;
