import type { optionalForFirms } from '@keyturn/contract';
import { missingRegulation, regulationLabels } from '@keyturn/contract/staff';
import { adoptedBankDetails } from '@keyturn/format/bank-details-advice';
import { ombudsmanText } from '@keyturn/format/regulators';
import { statutoryLine } from '@keyturn/format/statutory-line';
import { Alert } from '@keyturn/ui/base/alert.tsx';
import { classNames } from '@keyturn/ui/base/class-names.ts';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { callStaff } from '../../../api/desk-api.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/fields.tsx';
import { fieldPath, problemInWords } from '../entered-members.ts';
import styles from '../firm-data.module.css';
import { SettingsForm } from '../settings-form.tsx';
import { useSave, useVersioned } from '../use-versioned.ts';
import type { EnteredFirm } from './entered-firm.ts';
import { linesOf } from './entered-lines.ts';
import { type EnteredRegulation, enteredRegulation, toRegulation } from './entered-regulation.ts';

/**
 * Where admins enter what a regulated firm must show.
 * @param props.firm the details above, which the line in emails and letters also names; null while they load
 */
export function RegulationForm({ firm }: { firm: EnteredFirm | null }) {
  const settings = useVersioned('GET /staff/regulation', enteredRegulation);
  const save = useSave(settings, {
    toValue: toRegulation,
    send: (body) => callStaff('PUT /staff/regulation', { body }),
    changed: 'Regulation saved.',
    restored: 'Regulation restored.',
  });
  const { current, stored } = settings;
  return (
    <section aria-labelledby="regulation">
      <h2 id="regulation">Regulation and complaints</h2>
      <p className={styles.note}>
        Once complete, every email, receipt and signature page states your legal form, registration and
        regulator.
      </p>
      {stored && <Missing fields={missingRegulation(stored.value)} />}
      <SettingsForm what="the firm’s regulation" settings={settings} onSave={save}>
        {(errors) =>
          current && (
            <>
              <Fields
                entered={current.entered}
                hasNoVatNumber={!firm?.vat_number.trim()}
                onChange={settings.change}
                errors={errors}
              />
              {firm && <Preview firm={firm} entered={current.entered} />}
            </>
          )
        }
      </SettingsForm>
    </section>
  );
}

/** Names what a regulated firm must show and has not entered. */
function Missing({ fields }: { fields: readonly (keyof EnteredRegulation)[] }) {
  if (fields.length === 0) return null;
  return (
    <Alert tone="attention" title="Still missing" className={classNames(styles.wide, styles.notice)}>
      <ul>
        {fields.map((field) => (
          <li key={field}>{regulationLabels[field]}</li>
        ))}
      </ul>
    </Alert>
  );
}

function Preview({ firm, entered }: { firm: EnteredFirm; entered: EnteredRegulation }) {
  const line = statutoryLine({
    ...toRegulation(entered),
    trading_name: firm.name.trim(),
    regulator_number: firm.sra_number.trim() || null,
  });
  return (
    <div className={classNames(styles.wide, styles.notice)}>
      <h3>In your emails and PDFs</h3>
      <p>
        {line ||
          'Nothing yet: enter the legal form, legal name and registration, and the regulator with your number above.'}
      </p>
    </div>
  );
}

const notChosen = { value: '', name: 'Not chosen' } as const;

const legalForms = [
  notChosen,
  { value: 'company', name: 'Company' },
  { value: 'llp', name: 'Limited liability partnership (LLP)' },
  { value: 'partnership', name: 'Partnership' },
  { value: 'sole_practitioner', name: 'Sole practitioner' },
] as const;

const companyRegisters = [
  notChosen,
  { value: 'england_and_wales', name: 'England and Wales' },
  { value: 'wales', name: 'Wales' },
  { value: 'scotland', name: 'Scotland' },
  { value: 'northern_ireland', name: 'Northern Ireland' },
] as const;

const regulators = [
  notChosen,
  { value: 'sra', name: 'Solicitors Regulation Authority (SRA)' },
  { value: 'clc', name: 'Council for Licensed Conveyancers (CLC)' },
] as const;

function Fields({
  entered,
  hasNoVatNumber,
  onChange,
  errors,
}: {
  entered: EnteredRegulation;
  hasNoVatNumber: boolean;
  onChange(entered: EnteredRegulation): void;
  errors: Record<string, string>;
}) {
  const basicsOf = (name: keyof EnteredRegulation) => {
    const found = Object.entries(errors).find(([path]) => fieldPath(path).includes(name));
    return {
      label: regulationLabels[name],
      value: entered[name],
      error: found && `This ${problemInWords('', found[1])}.`,
    };
  };
  const fieldOf = (name: keyof EnteredRegulation) => ({
    ...basicsOf(name),
    autoComplete: 'off',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange({ ...entered, [name]: currentTarget.value }),
  });
  const choiceOf = (name: keyof EnteredRegulation) => ({
    ...basicsOf(name),
    onChoose: (value: string) => onChange({ ...entered, [name]: value }),
  });
  const without = linesOf(entered.has_none_of);
  const noneOf = (field: (typeof optionalForFirms)[number], label: string) => (
    <Checkbox
      label={label}
      checked={without.includes(field)}
      onChange={({ currentTarget }) => {
        const others = without.filter((other) => other !== field);
        onChange({
          ...entered,
          has_none_of: (currentTarget.checked ? [...others, field] : others).join('\n'),
        });
      }}
    />
  );
  const hasMembers = entered.legal_form === 'llp' || entered.legal_form === 'partnership';
  return (
    <div className={styles.wide}>
      <div className={styles.pair}>
        <SelectField options={legalForms} {...choiceOf('legal_form')} />
        <TextField
          maxLength={200}
          hint="As it is registered, or the name of the partnership or person. The name above is your trading name."
          {...fieldOf('legal_name')}
        />
      </div>
      <div className={styles.pair}>
        <TextField
          maxLength={12}
          hint="Eight characters, such as 01234567 or OC123456."
          {...fieldOf('company_number')}
        />
        <SelectField options={companyRegisters} {...choiceOf('registered_in')} />
      </div>
      <TextAreaField
        hint="Enter each part of the address on its own line."
        {...fieldOf('registered_office')}
      />
      {hasMembers && (
        <>
          <TextField
            maxLength={200}
            hint="Only for an LLP or a partnership of more than 20, for example: our registered office. Otherwise enter the names below."
            {...fieldOf('members_list_at')}
          />
          <TextAreaField hint="One name on each line." {...fieldOf('member_names')} />
        </>
      )}
      <SelectField options={regulators} {...choiceOf('regulator')} />
      <TextAreaField
        rows={3}
        hint="Paste the code that your regulator gave you. Only a badge of cdn.yoshki.com is accepted. Clients see it on the page Regulation. Tell your regulator that this website shows it too."
        {...fieldOf('badge_url')}
      />
      {!entered.badge_url.trim() &&
        noneOf(
          'badge_url',
          'We have no badge to show. (A firm with an SRA number must show the SRA’s on its website.)',
        )}
      <div className={styles.pair}>
        <TextField maxLength={200} {...fieldOf('complaints_name')} />
        <TextField type="email" maxLength={320} {...fieldOf('complaints_email')} />
      </div>
      <div className={styles.pair}>
        <TextField maxLength={200} {...fieldOf('data_protection_name')} />
        <TextField type="email" maxLength={320} {...fieldOf('data_protection_email')} />
      </div>
      <TextAreaField
        hint="One on each line, its name and then its address: Terms of business https://www.example.co.uk/terms"
        {...fieldOf('terms')}
      />
      {!entered.terms.trim() && noneOf('terms', 'We have no terms on a website')}
      {hasNoVatNumber && noneOf('vat_number', 'We are not registered for VAT')}
      <div className={styles.pair}>
        <TextField maxLength={200} {...fieldOf('insurer_name')} />
        <TextField maxLength={300} hint="Address, telephone or email." {...fieldOf('insurer_contact')} />
      </div>
      <TextField
        maxLength={300}
        hint="For example: work done from our offices in England and Wales."
        {...fieldOf('insurer_cover')}
      />
      <TextAreaField
        rows={5}
        placeholder={ombudsmanText.join('\n')}
        hint="One paragraph on each line. Leave it empty to use Keyturn’s text."
        {...fieldOf('ombudsman_text')}
      />
      <TextField
        type="date"
        hint={`From this day clients read: “${adoptedBankDetails}” Leave it empty unless everyone in your firm keeps to it.`}
        {...fieldOf('bank_details_adopted_on')}
      />
    </div>
  );
}
