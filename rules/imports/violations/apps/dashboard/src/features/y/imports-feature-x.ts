import { component } from '../x/component.ts';
export const importsFeatureX = component;
