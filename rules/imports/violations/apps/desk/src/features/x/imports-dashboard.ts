import { component } from '../../../../dashboard/src/features/x/component.ts';
export const importsDashboard = component;
