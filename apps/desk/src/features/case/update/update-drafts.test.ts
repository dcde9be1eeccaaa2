import { describe, expect, test } from 'vitest';
import { createUpdateDrafts, type UpdateDraft } from './update-drafts.ts';

const key = 'keyturn-desk.update-drafts';

function createStorage(text: string | null = null) {
  const stored = new Map(text === null ? [] : [[key, text]]);
  return {
    stored,
    storage: () => ({
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    }),
  };
}
const draft = (text: string): UpdateDraft => ({
  id: `id of ${text}`,
  text,
  choice: '5',
  day: '',
  stepIds: null,
});

describe('drafts of updates', () => {
  test('drafts of updates survive a reload, one for each case, until they are removed', () => {
    const { storage, stored } = createStorage();
    const before = createUpdateDrafts('rhian', { storage });
    before.save('a', draft('The council'));
    before.save('b', draft('The bank'));
    before.save('a', draft('The council has'));
    const after = createUpdateDrafts('rhian', { storage });
    expect(after.read('a')).toEqual(draft('The council has'));
    expect(after.read('b')).toEqual(draft('The bank'));
    after.remove('a');
    expect(after.read('a')).toBeNull();
    after.remove('b');
    expect(stored.size).toBe(0);
  });

  test('drafts of updates are never shown to another member, whose first draft deletes them', () => {
    const { storage, stored } = createStorage();
    createUpdateDrafts('rhian', { storage }).save('a', draft('The council'));
    const forJoel = createUpdateDrafts('joel', { storage });
    expect(forJoel.read('a')).toBeNull();
    forJoel.save('b', draft('Paid'));
    expect(stored.get(key)).not.toContain('The council');
  });

  test('drafts of updates are bounded: the newest twenty, none longer than 10,000 characters, none older than eight hours', () => {
    const { storage } = createStorage();
    let now = 0;
    const drafts = createUpdateDrafts('rhian', { storage, now: () => now });
    for (let index = 0; index < 21; index += 1) drafts.save(`${index}`, draft(`${index}`));
    expect([drafts.read('0'), drafts.read('1')?.text, drafts.read('20')?.text]).toEqual([null, '1', '20']);
    drafts.save('20', draft('x'.repeat(10_001)));
    expect(drafts.read('20')?.text).toBe('20');
    now = 8 * 3_600_000;
    expect(drafts.read('20')).toBeNull();
  });

  test.each(['', '{', 'null', '{}', '[1]', '[{"memberId":"rhian","caseId":"a","draft":{},"savedAt":1}]'])(
    'drafts of updates start empty if what is stored is %j',
    (text) => {
      const { storage } = createStorage(text);
      const drafts = createUpdateDrafts('rhian', { storage, now: () => 1 });
      expect(drafts.read('a')).toBeNull();
      drafts.save('a', draft('The council'));
      expect(drafts.read('a')).toEqual(draft('The council'));
    },
  );

  test('drafts of updates are not kept where storage is blocked, without an error', () => {
    const blocked = () => {
      throw new Error('blocked');
    };
    const drafts = createUpdateDrafts('rhian', { storage: blocked });
    drafts.save('a', draft('The council'));
    expect(drafts.read('a')).toBeNull();
  });
});
