import { importsCaseFile } from '../http/imports-case-file.ts';
export const importsHttp = importsCaseFile;
