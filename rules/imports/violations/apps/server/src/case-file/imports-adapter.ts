import { disk } from '../adapters/files/disk.ts';
export const importsAdapter = disk;
