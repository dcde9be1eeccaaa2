import { knowsX } from '../ui/knows-x.ts';
export const knowsUi = knowsX;
