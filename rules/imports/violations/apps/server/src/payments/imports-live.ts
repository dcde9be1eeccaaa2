import { value } from '../live/value.ts';
export const importsLive = value;
