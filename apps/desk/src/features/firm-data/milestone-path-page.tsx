import { type MatterType, matterTypes } from '@keyturn/contract';
import { matterTypeNames } from '@keyturn/format/matter-names';
import { useState } from 'react';
import { callStaff, useMember } from '../../api/desk-api.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { SelectField } from '../../ui/forms/fields.tsx';
import { enteredPath, placeInPath, toMilestonePath } from './entered-path.ts';
import styles from './firm-data.module.css';
import { PathFields } from './path-fields.tsx';
import { RunningMatters } from './running-matters.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins change the steps that new matters have. */
export default function MilestonePathPage() {
  const [matterType, setMatterType] = useState<MatterType>('purchase');
  return (
    <>
      <PageHead title="Milestone paths">
        The steps of each type of matter, as clients read them. New matters get a changed path. Running
        matters keep theirs until you apply it to them.
      </PageHead>
      <SelectField<MatterType>
        className={styles.type}
        label="Type of matter"
        value={matterType}
        options={matterTypes.map((value) => ({ value, name: matterTypeNames[value] }))}
        onChoose={setMatterType}
      />
      <PathForm key={matterType} matterType={matterType} />
    </>
  );
}

function PathForm({ matterType }: { matterType: MatterType }) {
  const params = { matter_type: matterType };
  const settings = useVersioned('GET /staff/milestone-paths/{matter_type}', enteredPath, params);
  const { role } = useMember();
  const save = useSave(settings, {
    toValue: toMilestonePath,
    send: (body) => callStaff('PUT /staff/milestone-paths/{matter_type}', { params, body }),
    changed: 'Path saved for new matters.',
    restored: 'Path restored.',
  });
  return (
    <>
      {role === 'admin' && settings.stored && (
        <RunningMatters matterType={matterType} version={settings.stored.version} />
      )}
      <SettingsForm
        what="the path"
        settings={settings}
        onSave={save}
        placeOf={(field) => settings.current && placeInPath(settings.current.entered, field)}
      >
        {(errors) =>
          settings.current && (
            <PathFields
              // Items of another version have different ids.
              key={settings.current.version}
              matterType={matterType}
              entered={settings.current.entered}
              onChange={settings.change}
              errors={errors}
            />
          )
        }
      </SettingsForm>
    </>
  );
}
