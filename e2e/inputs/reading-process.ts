import { setTimeout as pause } from 'node:timers/promises';

/**
 * A client who reads their case, in a separate process, so that only the server can delay its answers. Each message
 * names what others send from now on; `report` is answered with the milliseconds of the reads in each of these phases.
 */
const [url = '', authorization = ''] = process.argv.slice(2);
const paths = ['/api/client', '/api/case-searches', '/api/milestones'];
const times: Record<string, number[]> = {};
let phase = '';

process.on('disconnect', () => process.exit());
process.on('message', (message: string) => {
  if (message === 'report') process.send?.(times);
  else phase = message;
});
for (;;) {
  for (const path of paths) {
    const [startedIn, startedAt] = [phase, performance.now()];
    const answer = await fetch(url + path, { headers: { authorization } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
    if (startedIn !== phase || phase === '') continue;
    times[phase] ??= [];
    times[phase]?.push(performance.now() - startedAt);
  }
  await pause(10);
}
