// @ts-check
import { build, install, requireNode } from './set-up.mjs';

requireNode();
install();
build();
await import('../apps/server/dist/main.js');
