import { answers } from '../../http/answers.ts';
export const useCase = answers;
