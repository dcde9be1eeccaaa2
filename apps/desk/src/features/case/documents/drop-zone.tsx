import { confirmsIdentityByDefault } from '@keyturn/contract';
import { formatFileSize } from '@keyturn/format/file-size';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { type DragEvent, useId, useState } from 'react';
import { useDocumentGroups } from '../../../api/document-groups.ts';
import { Button } from '../../../ui/base/button.tsx';
import { focusNeighbour } from '../../../ui/base/focus-neighbour.ts';
import { Section } from '../../../ui/base/page.tsx';
import { Form, FormButtons, SelectField, TextField } from '../../../ui/forms/fields.tsx';
import styles from '../case.module.css';
import type { CasePartProps } from '../case-part-props.ts';
import { UploadProgress } from '../edits/upload-progress.tsx';
import { matterName } from '../matter-name.ts';
import {
  audienceHint,
  audienceLabel,
  audienceOptions,
  defaultAudience,
  undecided,
} from './document-audience.ts';
import { confirmIdentityLabel, signingOptions } from './document-edits.ts';
import { acceptedFiles } from './file-rules.ts';
import { type DroppedFile, useDroppedFiles } from './use-dropped-files.ts';

/**
 * Accepts files by dropping or choosing them. They are shared only once the member has named each one and confirms.
 */
export function DropZone({ deskCase, changes }: CasePartProps) {
  const inputId = useId();
  const [isOver, setOver] = useState(false);
  const { files, refused, isSharing, add, change, remove, share } = useDroppedFiles(deskCase, changes);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    add(event.dataTransfer.files);
  };
  return (
    <Section title="Share documents">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the file field does the same with the keyboard. */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <label htmlFor={inputId}>Drop files here, or choose them</label>
        <input
          id={inputId}
          type="file"
          multiple
          accept={acceptedFiles}
          onChange={({ currentTarget }) => {
            add(currentTarget.files ?? []);
            currentTarget.value = '';
          }}
        />
        <span className={styles.soft}>PDF, JPEG, PNG or WebP, up to 25 MB each</span>
      </div>
      {refused.length > 0 && (
        <Alert tone="danger" takesFocus title="These files were not added">
          {refused.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Alert>
      )}
      {files.length > 0 && (
        <Form
          className={styles.files}
          onSubmit={(event) => {
            event.preventDefault();
            void share();
          }}
        >
          {files.map((dropped) => (
            <DroppedFileFields
              key={dropped.key}
              dropped={dropped}
              deskCase={deskCase}
              onChange={(changed) => change(dropped.key, changed)}
              onRemove={() => remove(dropped.key)}
            />
          ))}
          <FormButtons>
            <Button type="submit" look="primary" busy={isSharing} busyText="Sharing">
              {files.length === 1 ? 'Share the document' : `Share ${files.length} documents`}
            </Button>
            <span className={styles.soft}>
              The clients you choose see {files.length === 1 ? 'it' : 'them'} at once.
            </span>
          </FormButtons>
        </Form>
      )}
    </Section>
  );
}

function DroppedFileFields({
  dropped: { file, title, group, forClient, signing, confirmsIdentity, matterId, part, error },
  deskCase: { matters, clients },
  onChange,
  onRemove,
}: {
  dropped: DroppedFile;
  deskCase: CasePartProps['deskCase'];
  onChange(changed: Partial<DroppedFile>): void;
  onRemove(): void;
}) {
  const { groups } = useDocumentGroups();
  const audience = forClient ?? defaultAudience(group, clients);
  return (
    <fieldset className={styles.file}>
      <legend>
        {file.name}, {formatFileSize(file.size)}
      </legend>
      {error && (
        <Alert tone="danger" title="This document is not shared">
          <p>{error}</p>
        </Alert>
      )}
      <TextField
        label="Title"
        value={title}
        maxLength={300}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      {matters.length > 1 && (
        <SelectField
          label="Matter"
          value={matterId}
          options={matters.map((matter) => ({ value: matter.id, name: matterName(matter) }))}
          onChoose={(value) => onChange({ matterId: value })}
        />
      )}
      <SelectField
        label="Folder"
        value={group}
        options={groups}
        onChoose={(value) => onChange({ group: value })}
      />
      <SelectField
        label={audienceLabel}
        hint={audienceHint(audience, { clients, seen_by: [] })}
        value={audience ?? undecided.value}
        options={[...(audience === null ? [undecided] : []), ...audienceOptions(clients, null)]}
        onChoose={(value) => onChange({ forClient: value })}
      />
      <SelectField
        label="Signature"
        value={signing}
        options={signingOptions}
        onChoose={(value) => onChange({ signing: value })}
      />
      {signing === 'simple' && (
        <Checkbox
          label={confirmIdentityLabel}
          checked={confirmsIdentity ?? confirmsIdentityByDefault({ signing, group })}
          onChange={({ currentTarget }) => onChange({ confirmsIdentity: currentTarget.checked })}
        />
      )}
      <UploadProgress file={file} part={part} />
      <Button
        look="plain"
        onClick={({ currentTarget }) => {
          focusNeighbour(currentTarget);
          onRemove();
        }}
        aria-label={`Remove ${file.name}`}
      >
        Remove
      </Button>
    </fieldset>
  );
}
