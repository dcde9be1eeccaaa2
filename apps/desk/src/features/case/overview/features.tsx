import { type MatterFeature, matterFeatures } from '@keyturn/contract';
import type { DeskMatter } from '@keyturn/contract/staff';
import { matterFeatureNames } from '@keyturn/format/matter-names';
import { useState } from 'react';
import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { EditDialog, type StoredValues } from '../edits/edit-dialog.tsx';
import type { EditField } from '../edits/edit-fields.tsx';
import type { FormValues } from '../edits/form-values.ts';
import { sendFeatures } from '../edits/send-edits.ts';
import { matterName } from '../matter-name.ts';

const fields: readonly EditField<MatterFeature>[] = matterFeatures.map((name) => ({
  name,
  label: matterFeatureNames[name],
  kind: 'checkbox',
}));

const storedFeatures = ({ version, features = [] }: DeskMatter): StoredValues<MatterFeature> => ({
  version,
  values: Object.fromEntries(
    matterFeatures.map((feature) => [feature, features.includes(feature) ? 'yes' : '']),
  ) as FormValues<MatterFeature>,
});

/** What makes each matter special, which decides the steps that it has. */
export function Features({ deskCase, changes, mayEdit }: CasePartProps) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = deskCase.matters.find(({ id }) => id === editedId);
  return (
    <>
      {deskCase.matters.map((matter) => {
        // A server of the last release does not send them.
        if (matter.features === undefined) return null;
        const name = matterName(matter);
        return (
          <Section
            key={matter.id}
            title={deskCase.matters.length > 1 ? `Features: ${name}` : 'Features'}
            actions={
              mayEdit && (
                <Button
                  onClick={() => setEditedId(matter.id)}
                  aria-label={`Edit the features of the ${name}`}
                >
                  Edit
                </Button>
              )
            }
          >
            {matter.features.length > 0 ? (
              <p>{matter.features.map((feature) => matterFeatureNames[feature]).join('. ')}.</p>
            ) : (
              <p className={styles.soft}>
                None recorded. Record them to add the steps for, for example, a leasehold flat or a new build.
              </p>
            )}
          </Section>
        );
      })}
      {edited && (
        <EditDialog
          title="Features"
          fields={fields}
          stored={storedFeatures(edited)}
          changes={changes}
          find={(newest) => {
            const found = newest.matters.find(({ id }) => id === edited.id);
            return found ? storedFeatures(found) : null;
          }}
          save={(changed, version) => {
            const values = { ...storedFeatures(edited).values, ...changed };
            const features = matterFeatures.filter((feature) => values[feature] !== '');
            return changes.save(sendFeatures(edited.id), { version, changes: { features } }, savedTexts);
          }}
          onClose={() => setEditedId(null)}
        />
      )}
    </>
  );
}

const savedTexts = {
  done: 'Features saved. Clients see the steps for them.',
  undone: 'Change to the features undone.',
};
