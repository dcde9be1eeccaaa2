export const staffCalls = {};
