import { two } from './circular-two.ts';
export const one = () => two;
