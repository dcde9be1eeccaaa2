import { piece } from '../x/piece.ts';
export const meetsX = piece;
