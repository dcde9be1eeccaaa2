import { staffCalls } from './staff/staff-calls.ts';
export const importsStaff = staffCalls;
