import { join } from 'node:path';
import { expect, test } from 'vitest';
import { feedSchema } from './import-command.ts';

const published = join(import.meta.dirname, '../../../../../docs/case-feed.schema.json');

test('docs/case-feed.schema.json is the current schema of the case feed; "npm run schema" writes it', async () => {
  await expect(feedSchema()).toMatchFileSnapshot(published);
});
