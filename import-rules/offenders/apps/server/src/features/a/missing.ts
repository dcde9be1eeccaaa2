import { nothing } from './is-not-there.ts';
export const missing = nothing;
