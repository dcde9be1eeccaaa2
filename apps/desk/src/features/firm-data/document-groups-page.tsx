import { matterTypes } from '@keyturn/contract';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { callStaff } from '../../api/desk-api.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { TextAreaField, TextField } from '../../ui/forms/fields.tsx';
import { EditedItem, useEditedItems } from './edited-item.tsx';
import { type EnteredGroup, enteredGroups, toDocumentGroups } from './entered-groups.ts';
import { fieldPath, problemInWords, replaced } from './entered-members.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change what clients read about the folders of their documents. */
export default function DocumentGroupsPage() {
  const settings = useVersioned('GET /staff/document-groups', enteredGroups);
  const save = useSave(settings, {
    toValue: toDocumentGroups,
    send: (body) => callStaff('PUT /staff/document-groups', { body }),
    changed: 'Folders saved.',
    restored: 'Folders restored.',
  });
  return (
    <>
      <PageHead title="Document folders">
        The names of the folders in which clients find their documents, and what an empty folder says. Open
        pages show a change within three minutes.
      </PageHead>
      <SettingsForm
        what="the folders"
        settings={settings}
        onSave={save}
        placeOf={(field) => settings.current?.entered[Number(fieldPath(field)[1])]?.name}
      >
        {(errors) =>
          settings.current && (
            <Groups entered={settings.current.entered} onChange={settings.change} errors={errors} />
          )
        }
      </SettingsForm>
    </>
  );
}

function Groups({
  entered,
  onChange,
  errors,
}: {
  entered: EnteredGroup[];
  onChange(entered: EnteredGroup[]): void;
  errors: Record<string, string>;
}) {
  const items = useEditedItems();
  const problemOf = (index: number) =>
    Object.entries(errors)
      .filter(([field]) => fieldPath(field)[1] === String(index))
      .map(([field, message]) => problemInWords(field, message))
      .join('. ') || undefined;
  return (
    <div ref={items.box}>
      <ol className={styles.list}>
        {entered.map((folder, index) => (
          <EditedItem
            key={folder.id}
            id={folder.id}
            items={items}
            name={folder.name || 'Folder without a name'}
            summary={folder.empty.purchase}
            problem={problemOf(index)}
          >
            <div className={styles.wide}>
              <TextField
                label="Name"
                maxLength={60}
                autoComplete="off"
                value={folder.name}
                onChange={({ currentTarget }) =>
                  onChange(replaced(entered, { ...folder, name: currentTarget.value }))
                }
              />
              {matterTypes.map((type) => (
                <TextAreaField
                  key={type}
                  label={`While it is empty: ${matterTypeNames[type]}`}
                  maxLength={400}
                  rows={2}
                  value={folder.empty[type]}
                  onChange={({ currentTarget }) =>
                    onChange(
                      replaced(entered, {
                        ...folder,
                        empty: { ...folder.empty, [type]: currentTarget.value },
                      }),
                    )
                  }
                />
              ))}
            </div>
          </EditedItem>
        ))}
      </ol>
    </div>
  );
}
