import { expect, test } from 'vitest';
import { releaseName } from './release-name.ts';

test('names a release by its version and build', () => {
  expect(releaseName('keyturn@1.2.3', '{"id":"0a1b2c3d4e5f6071","timestamp":1795000000000}')).toBe(
    'keyturn@1.2.3+0a1b2c3d4e5f6071',
  );
});

test.each([undefined, null, '', 'null', '{', '{"id":7}', '{"id":"a b"}', '{"timestamp":1}'])(
  'names a release by its version alone when the build element is %j',
  (build) => {
    expect(releaseName('keyturn@1.2.3', build)).toBe('keyturn@1.2.3');
  },
);
