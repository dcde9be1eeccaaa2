import { importsNode } from '../../contract/src/imports-node.ts';
export const importsContract = importsNode;
