import { expect, test } from 'vitest';
import { readSdkTypes } from './read-sdk-types.ts';

test('describes Stripe’s API as the types of the installed SDK do', async () => {
  const { apiVersion, types } = readSdkTypes();
  const lines = Object.entries(types).map(
    ([name, type]) => `${JSON.stringify(name)}:${JSON.stringify(type)}`,
  );
  const text = `{"apiVersion":${JSON.stringify(apiVersion)},"types":{\n${lines.join(',\n')}\n}}\n`;
  await expect(text).toMatchFileSnapshot('./stripe-description.json');
});
