import { piece } from '../features/x/piece.ts';
export const knowsX = piece;
