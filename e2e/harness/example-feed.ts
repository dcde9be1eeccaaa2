import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demonstrationPassword } from './api-client.ts';
import { projectDirectory } from './start-product.ts';

/** The example feed of docs/case-feed.md. Its client has the demonstration's password. */
export function exampleFeed() {
  const text = readFileSync(join(projectDirectory, 'docs/case-feed.md'), 'utf8');
  const feed = JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '');
  feed.clients[0].password = demonstrationPassword;
  return feed;
}
