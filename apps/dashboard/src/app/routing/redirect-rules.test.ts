import { describe, expect, test } from 'vitest';
import type { Services } from '../../api/services/services.ts';
import { Redirect } from '../../navigation/outcomes.ts';
import { redirectLegacyPath } from './legacy-paths.ts';
import { redirectRules } from './redirect-rules.ts';

describe('redirect rules of a build', () => {
  test.each(Object.entries(redirectRules))(
    'the redirect rules of a build redirect %s like its route does',
    async (path, { redirect }) => {
      const below = path.slice('/main'.length + 1);
      const thrown = await redirectLegacyPath(below, {} as Services).catch((error: unknown) => error);
      expect(thrown instanceof Redirect && thrown.href).toBe(redirect);
    },
  );
});
