import { fact } from '../../features/a/fact.ts';
export const knowsUseCase = fact;
