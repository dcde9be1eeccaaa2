import { importsContract } from '../../format/src/imports-contract.ts';
export const importsFormat = importsContract;
