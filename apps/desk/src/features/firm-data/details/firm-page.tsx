import { firmLabels } from '@keyturn/contract/staff';
import { callStaff } from '../../../api/desk-api.ts';
import { PageHead } from '../../../ui/base/page.tsx';
import { TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import styles from '../firm-data.module.css';
import { SettingsForm } from '../settings-form.tsx';
import { useSave, useVersioned } from '../use-versioned.ts';
import { type EnteredFirm, enteredFirm, toFirmDetails } from './entered-firm.ts';
import { RegulationForm } from './regulation-form.tsx';

/** Where admins change what clients read about the firm. */
export default function FirmPage() {
  const settings = useVersioned('GET /staff/firm', enteredFirm);
  const save = useSave(settings, {
    toValue: toFirmDetails,
    send: (body) => callStaff('PUT /staff/firm', { body }),
    changed: 'Firm details saved.',
    restored: 'Firm details restored.',
  });
  return (
    <>
      <PageHead title="Firm">
        Clients read this on screen, on receipts and in emails. Pages that are open show a change within three
        minutes; receipts of earlier payments stay as they are.
      </PageHead>
      <SettingsForm what="the firm’s details" settings={settings} onSave={save}>
        {(errors) =>
          settings.current && (
            <Fields entered={settings.current.entered} onChange={settings.change} errors={errors} />
          )
        }
      </SettingsForm>
      <RegulationForm firm={settings.current?.entered ?? null} />
    </>
  );
}

function Fields({
  entered,
  onChange,
  errors,
}: {
  entered: EnteredFirm;
  onChange(entered: EnteredFirm): void;
  errors: Record<string, string>;
}) {
  const fieldOf = (name: keyof EnteredFirm) => ({
    value: entered[name],
    autoComplete: 'off',
    error: Object.entries(errors).find(([path]) => path.split(/[./]/).includes(name))?.[1],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...entered, [name]: currentTarget.value }),
  });
  return (
    <div className={styles.wide}>
      <TextField label={firmLabels.name} maxLength={200} {...fieldOf('name')} />
      <div className={styles.pair}>
        <TextField
          label={firmLabels.phone}
          type="tel"
          maxLength={50}
          hint="Clients call this number when they’re unsure whether an email is genuine."
          {...fieldOf('phone')}
        />
        <TextField
          label={firmLabels.sra_number}
          maxLength={20}
          hint="Your SRA number, or your practice number at the CLC."
          {...fieldOf('sra_number')}
        />
      </div>
      <TextAreaField
        label={firmLabels.address}
        hint="Enter each part of the address on its own line."
        {...fieldOf('address')}
      />
      <TextField label="Opening hours" maxLength={300} {...fieldOf('opening_hours')} />
      <div className={styles.pair}>
        <TextField
          label="VAT number (optional)"
          maxLength={18}
          hint="For example GB 123 4567 89. Without it, prices show no VAT."
          {...fieldOf('vat_number')}
        />
        <TextField
          label="Cut-off time for orders"
          type="time"
          hint="Searches that are paid later are ordered on the next working day."
          {...fieldOf('order_cutoff')}
        />
      </div>
      <TextAreaField
        label="Days on which you’re closed (optional)"
        hint="Besides weekends and bank holidays. One day for each line, such as 2026-12-24."
        {...fieldOf('closed_on')}
      />
    </div>
  );
}
