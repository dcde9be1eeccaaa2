import { describe, expect, test } from 'vitest';
import { importFeed } from '../../doors/import/import-feed.ts';
import { deskFeed, withDeskCase } from '../../testing/serve-desk-case.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { lockImports } from '../import/feed-store.ts';

const desk = withDeskCase();

/** A feed with the fixture’s case and another one, of the same client. */
const twoCases = {
  ...deskFeed,
  cases: [...deskFeed.cases, { ...deskFeed.cases[0], reference: 'K2' }],
  matters: [...deskFeed.matters, { ...deskFeed.matters[0], reference: 'M-K2', case: 'K2' }],
};
const addTask = async (
  member: Awaited<ReturnType<typeof desk.signIn>>,
  reference: string,
  title = 'Send us your passport',
) => {
  const [found] = await desk.rows('select id from conveyancing_cases where reference = $1', [reference]);
  return member.call('POST', `/cases/${found.id}/tasks`, {
    id: crypto.randomUUID(),
    kind: 'contact_us',
    title,
    explanation: 'We need it to check who you are.',
    due_on: null,
    amount: null,
    matter_id: null,
    case_search_id: null,
    document_id: null,
  });
};

describe('edits of several members', () => {
  test('an edit waits for no import, and for no edit of another case', async () => {
    await desk.importing(twoCases);
    const member = await desk.signIn();
    const { database } = desk.testDatabase;
    await database.transaction(async (other) => {
      await lockImports(other);
      await other.execute("select from conveyancing_cases where reference = 'K2' for no key update");
      expect(await addTask(member, 'K1')).toMatchObject({ data: { task: { status: 'open' } } });
    });
  });

  test('two edits of one case are stored one after the other', async () => {
    const member = await desk.signIn();
    const { database } = desk.testDatabase;
    const waiting = await database.transaction(async (other) => {
      await other.execute("select from conveyancing_cases where reference = 'K1' for no key update");
      const adding = ['First', 'Second'].map((title) => addTask(member, 'K1', title));
      await untilBlocked(desk.testDatabase, 2);
      return { adding };
    });
    expect(await Promise.all(waiting.adding)).toMatchObject([
      { data: { task: { title: 'First' } } },
      { data: { task: { title: 'Second' } } },
    ]);
    const positions = await desk.rows(
      "select count(distinct position)::int as positions, count(*)::int as tasks from tasks where reference like 'desk-%'",
    );
    expect(positions).toEqual([{ positions: 2, tasks: 2 }]);
  });

  test('an import waits for an edit of a case that it writes, and writes other cases meanwhile', async () => {
    await desk.importing(twoCases);
    const { database } = desk.testDatabase;
    const renamed = (reference: string, title: string) => ({
      ...twoCases,
      cases: twoCases.cases.map((each) => (each.reference === reference ? { ...each, title } : each)),
    });
    const importing = await database.transaction(async (editing) => {
      await editing.execute("select from conveyancing_cases where reference = 'K1' for no key update");
      expect(await desk.importing(renamed('K2', 'The other case'))).toMatchObject({
        updated: 1,
        rejected: [],
      });
      const blocked = desk.importing(renamed('K1', 'The edited case'));
      await untilBlocked(desk.testDatabase);
      return { blocked };
    });
    expect(await importing.blocked).toMatchObject({ updated: 2, rejected: [] });
  });

  test('a dry run of an import makes no edit wait', async () => {
    const member = await desk.signIn();
    const changed = { ...deskFeed, history: [{ ...deskFeed.history[0], summary: 'Changed' }] };
    let edit: Awaited<ReturnType<typeof addTask>> | undefined;
    const actor = { kind: 'command_line', id: null, name: 'rhian' } as const;
    await importFeed(
      {
        ...desk.dependencies,
        clock: () => desk.clock(),
      },
      {
        feed: changed,
        folder: '.',
        as: 'real',
        actor,
        dryRun: true,
        onWritten: async () => {
          edit ??= await addTask(member, 'K1');
        },
      },
    );
    expect(edit).toMatchObject({ data: { task: { status: 'open' } } });
  });
});
