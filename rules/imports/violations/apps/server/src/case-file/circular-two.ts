import { one } from './circular-one.ts';
export const two = () => one;
