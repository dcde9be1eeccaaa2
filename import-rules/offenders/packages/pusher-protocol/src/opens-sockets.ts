import { createServer } from 'node:net';
export const opensSockets = createServer;
