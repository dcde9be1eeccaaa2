import { createTestDatabase } from '@keyturn/testkit';
import { expect, test } from 'vitest';
import { migrate, migrations } from './migrate.ts';

test('migration 19 lets a typed name sign the documents that it signed before, and recognises contracts', async () => {
  const database = await createTestDatabase();
  const query = async (sql: string) => (await database.pool.query(sql)).rows;
  await query('drop schema public cascade; create schema public');
  await migrate(
    database.url,
    migrations.filter(({ number }) => number < 19),
  );
  await query(`
    insert into conveyancing_cases (id, reference, title, status, handlers)
      values ('00000000-0000-4000-8000-000000000001', 'C-1', 'Sale', 'active', '[]');
    insert into matters (id, case_id, reference, matter_type, status, property, parties, position)
      values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'M-1', 'sale',
        'active', '{}', '[]', 0);
    insert into documents (id, matter_id, reference, "group", title, file_name, media_type, size, sha256, uploaded_by,
        shared_at, signature_required)
      select gen_random_uuid(), '00000000-0000-4000-8000-000000000002', title, 'to-sign', title, 'a.pdf',
        'application/pdf', 1, repeat('a', 64), 'Rhian Morgan', now(), needed
      from (values ('Contract for the sale of 5 Mill Lane', true), ('Declaration of trust', true),
        ('Our terms', false)) as document (title, needed);`);
  await migrate(database.url);
  expect(await query('select title, signing, binds_on from documents order by title')).toEqual([
    { title: 'Contract for the sale of 5 Mill Lane', signing: 'simple', binds_on: 'exchange' },
    { title: 'Declaration of trust', signing: 'simple', binds_on: null },
    { title: 'Our terms', signing: null, binds_on: null },
  ]);
  await database.drop();
});
