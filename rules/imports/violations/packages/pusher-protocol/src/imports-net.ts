import { createServer } from 'node:net';
export const importsNet = createServer;
