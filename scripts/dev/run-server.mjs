// @ts-check
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * The server's process in `npm run dev`. It loads the npm packages at once and the server itself when a message asks it to start,
 * so that a restart after a change does not wait for the packages.
 */

const [, , folder = ''] = process.argv;
/** @param {string} file */
const load = (file) => import(pathToFileURL(join(folder, file)).href);

// Without `npm run dev`, which may have been killed, no one would stop the server and its PostgreSQL.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
const asked = new Promise((resolve) => process.once('message', resolve));
await load('packages.mjs');
await asked;
await load('main.js');
