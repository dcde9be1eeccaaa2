import { databaseCode } from '../schema/database-code.ts';
import { type Migration, migrations } from '../schema/read-migrations.ts';

/** Migrations that a next release could have. Each adds something else. */
const additions = [
  {
    name: 'add_column',
    sql: `alter table payments add column channel text not null default 'dashboard'`,
  },
  {
    name: 'add_table',
    sql: `create table paid_channels (payment_id uuid primary key references payments, channel text not null)`,
  },
  {
    name: 'widen_check',
    sql: `-- Allows more: payment_mails_kind_check
      alter table payment_mails drop constraint payment_mails_kind_check,
        add constraint payment_mails_kind_check check (kind <> '')`,
  },
];

/**
 * Migrations after those of this build, so that tests have something to upgrade even if there are no migrations since
 * the last release.
 */
export const expandingMigrations: readonly Migration[] = additions.map((addition, index) => ({
  ...addition,
  number: migrations.length + index + 1,
  oldestBuild: 0,
}));

const changedName = 'function announce_payment_change';

/**
 * A function that a next release could change, next to those migrations. It adds a row to `paid_channels` for each payment
 * that succeeds.
 */
export const changedFunction = {
  /** From the folder of the schema. */
  path: 'functions/payments/announce_payment_change.sql',
  sql: databaseCode
    .find(({ name }) => name === changedName)
    ?.sql.replace(
      '\nbegin\n',
      `
begin
  if old.paid_at is null and new.paid_at is not null then
    insert into paid_channels (payment_id, channel) values (new.id, new.channel);
  end if;
`,
    ) as string,
};
