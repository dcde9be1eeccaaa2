// @ts-check
import { build, install, requireNode } from './set-up.mjs';

/* Builds the dashboard, the desk and the server, each only if its sources have changed. `npx keyturn` runs this build. */

requireNode();
install();
build();
