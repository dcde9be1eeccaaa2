// @ts-check
import { build, install, requireNode } from './set-up.mjs';

requireNode();
install();
build();
await import(new URL('../apps/server/dist/main.js', import.meta.url).href);
