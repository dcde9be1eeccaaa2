import { answers } from '../http/answers.ts';
export const knowsHttp = answers;
