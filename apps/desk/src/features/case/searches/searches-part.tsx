import type { DeskSearch } from '@keyturn/contract/staff';
import { matterTypeNames } from '@keyturn/dashboard/api/case/matter-types.ts';
import { propertyName } from '@keyturn/dashboard/api/case/property-names.ts';
import { StatusTag } from '@keyturn/dashboard/ui/content/status-tag.tsx';
import { formatShortDay, londonDay } from '@keyturn/dashboard/ui/format/format-date.ts';
import { formatMoney } from '@keyturn/dashboard/ui/format/format-money.ts';
import { useState } from 'react';
import { callStaff } from '../../../api/desk-api.ts';
import { EmptyState, Section } from '../../../ui/base/page.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { type Column, Table } from '../../../ui/table/table.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog } from '../edits/edit-dialog.tsx';
import { sendSearch } from '../edits/send-edits.ts';
import { OrderDialog } from './order-dialog.tsx';
import { ResultDialog } from './result-dialog.tsx';
import { searchEdit, searchFields, searchState, searchSteps, storedSearch } from './search-edits.ts';

type Command = 'edit' | 'order' | 'result' | 'cancel';

/** The searches of each matter, with the next step of each. */
export function SearchesPart({ deskCase, changes, mayEdit }: CasePartProps) {
  const [opened, setOpened] = useState<{ command: Command; id: string } | null>(null);
  const search = deskCase.searches.find(({ id }) => id === opened?.id);
  const close = () => setOpened(null);
  const columns = columnsFor(mayEdit ? (command, id) => setOpened({ command, id }) : null);
  return (
    <>
      {deskCase.matters.map((matter, index) => (
        <Section
          key={matter.id}
          title={`${matterTypeNames[matter.matter_type]} of ${propertyName(matter.property)}`}
        >
          <Table
            label={`Searches of the ${matterTypeNames[matter.matter_type].toLowerCase()} ${deskCase.reference}`}
            columns={columns}
            query={{
              data: deskCase.searches.filter(({ matter_id }) => matter_id === matter.id),
              error: null,
              isFetching: false,
              refetch: changes.refresh,
            }}
            keyOf={({ id }) => id}
            empty={<EmptyState title="This matter has no searches." />}
            isMain={index === 0}
            {...(mayEdit ? { onOpen: ({ id }: DeskSearch) => setOpened({ command: 'edit', id }) } : {})}
          />
        </Section>
      ))}
      {search && opened?.command === 'edit' && (
        <EditDialog
          title={search.name}
          fields={searchFields(search)}
          stored={storedSearch(search)}
          changes={changes}
          find={(newest) => {
            const found = newest.searches.find(({ id }) => id === search.id);
            return found ? storedSearch(found) : null;
          }}
          save={(changed, version) =>
            changes.save(sendSearch(search.id), searchEdit(changed, version), {
              done: `${search.name} is saved.`,
              undone: `${search.name} is as before.`,
            })
          }
          onClose={close}
        />
      )}
      {search && opened?.command === 'order' && (
        <OrderDialog search={search} changes={changes} onClose={close} />
      )}
      {search && opened?.command === 'result' && (
        <ResultDialog search={search} changes={changes} onClose={close} />
      )}
      {search && opened?.command === 'cancel' && (
        <FormDialog
          open
          title={`Cancel ${search.name}?`}
          action="Cancel the search"
          look="danger"
          onSubmit={() =>
            changes.make(
              callStaff('POST /staff/searches/{id}/cancel', {
                params: { id: search.id },
                body: { version: search.version },
              }),
              `${search.name} is cancelled.`,
            )
          }
          onClose={close}
        >
          <p>
            The clients see that it is cancelled, and their task to pay is closed. This cannot be undone. A
            payment is not refunded by this.
          </p>
        </FormDialog>
      )}
    </>
  );
}

/** @param open null for a role that may not change cases */
function columnsFor(open: ((command: Command, id: string) => void) | null): Column<DeskSearch>[] {
  return [
    { key: 'name', heading: 'Search', isRowHeader: true, cell: ({ name }) => name },
    {
      key: 'status',
      heading: 'Status',
      cell: (search) => <StatusTag tone={searchState(search).tone}>{searchState(search).name}</StatusTag>,
    },
    {
      key: 'price',
      heading: 'Price',
      align: 'end',
      cell: ({ price }) => formatMoney(price.gross),
    },
    {
      key: 'paid',
      heading: 'Paid',
      cell: ({ paid_at, money }) => (
        <>
          {paid_at && formatShortDay(londonDay(paid_at))}
          {money && <span className={styles.soft}> {money.client.name}</span>}
        </>
      ),
    },
    {
      key: 'expected',
      heading: 'Expected',
      cell: ({ expected_on, delayed_reason, returned_at }) =>
        returned_at ? (
          `Back ${formatShortDay(londonDay(returned_at))}`
        ) : (
          <>
            {expected_on && formatShortDay(expected_on)}
            {delayed_reason && <span className={styles.soft}> {delayed_reason}</span>}
          </>
        ),
    },
    ...(open
      ? [
          {
            key: 'actions',
            heading: 'Actions',
            isHeadingHidden: true,
            cell: (search: DeskSearch) => (
              <Menu look="plain" about={`for ${search.name}`} items={commandsFor(search, open)}>
                Change
              </Menu>
            ),
          },
        ]
      : []),
  ];
}

function commandsFor(search: DeskSearch, open: (command: Command, id: string) => void) {
  const { canOrder, canReturn, canCancel } = searchSteps(search);
  const choose = (command: Command) => () => open(command, search.id);
  return [
    ...(canOrder ? [{ name: 'Record the order', onChoose: choose('order') }] : []),
    ...(canReturn ? [{ name: 'Record the result', onChoose: choose('result') }] : []),
    { name: 'Edit', onChoose: choose('edit') },
    ...(canCancel ? [{ name: 'Cancel the search', onChoose: choose('cancel'), isDangerous: true }] : []),
  ];
}
