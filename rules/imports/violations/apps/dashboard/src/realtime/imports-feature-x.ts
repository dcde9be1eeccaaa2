import { component } from '../features/x/component.ts';
export const importsFeatureX = component;
