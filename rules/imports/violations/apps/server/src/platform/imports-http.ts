import { importsFeature } from '../http/imports-feature.ts';
export const importsHttp = importsFeature;
