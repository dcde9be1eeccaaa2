import { clock } from '../../../../packages/testkit/src/clock.ts';
export const importsTestkit = clock;
