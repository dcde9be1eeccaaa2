import { readFileSync } from 'node:fs';
export const importsNode = readFileSync;
