import { staffCalls } from '../../../../../packages/contract/src/staff/staff-calls.ts';
export const importsStaffContract = staffCalls;
