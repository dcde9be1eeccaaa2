import { parentPort } from 'node:worker_threads';
import { findWeakness } from './find-weakness.ts';

/* The thread that `passwords.ts` starts. It is a separate entry of the build (vite.config.ts). */

parentPort?.on('message', ({ password, personal }: { password: string; personal: string[] }) => {
  parentPort?.postMessage(findWeakness(password, personal));
});
