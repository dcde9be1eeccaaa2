import type { OrderingRule, PaymentPurpose } from '@keyturn/contract';
import type { PaymentRules } from '@keyturn/contract/staff';
import { Checkbox } from '@keyturn/ui/base/field.tsx';
import { callStaff } from '../../api/desk-api.ts';
import { purposeName } from '../../api/purpose-name.ts';
import { PageHead, Section } from '../../ui/base/page.tsx';
import { ChoiceGroup } from '../../ui/forms/choice-group.tsx';
import { TextField } from '../../ui/forms/fields.tsx';
import { type EnteredRules, enteredRules, rulesFrom, unaskedCategories } from './entered-rules.ts';
import styles from './firm-data.module.css';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins decide what clients can pay, and when the firm acts on it. */
export default function PaymentRulesPage() {
  const settings = useVersioned('GET /staff/payment-rules', enteredRules);
  const save = useSave(settings, {
    toValue: rulesFrom,
    send: (body) => callStaff('PUT /staff/payment-rules', { body }),
    changed: 'Rules for payments saved.',
    restored: 'Rules for payments restored.',
  });
  return (
    <>
      <PageHead title="Rules for payments">
        What clients can pay, and what they read about it, follows from these rules, on open pages within
        three minutes.
      </PageHead>
      <SettingsForm what="the rules for payments" settings={settings} onSave={save}>
        {(errors) =>
          settings.current && (
            <Fields entered={settings.current.entered} errors={errors} onChange={settings.change} />
          )
        }
      </SettingsForm>
    </>
  );
}

interface FieldsProps {
  entered: EnteredRules;
  errors: Record<string, string>;
  onChange(entered: EnteredRules): void;
}

function Fields({ entered, errors, onChange }: FieldsProps) {
  const set = (change: Partial<EnteredRules>) => onChange({ ...entered, ...change });
  return (
    <>
      <Unasked entered={entered} errors={errors} onChange={onChange} />
      <Section title="Which payments wait for the identity check?">
        <p className={styles.wide}>
          Verify who a client is before you act for them, or as soon as practicable after the first contact
          where the risk is low and the work must not be interrupted (
          <a href="https://www.legislation.gov.uk/uksi/2017/692/regulation/30">
            Money Laundering Regulations 2017, regulation 30
          </a>
          ). Until the step “Identity check” of the matter is done, or “not needed” because you have verified
          this client already, clients read “You can pay this online once our identity checks for your case
          are done”, and you can’t send them a request to pay it. A path without that step (
          <code>identity_checked</code>) waits for nothing.
        </p>
        {(Object.keys(entered.not_before) as PaymentPurpose[]).map((purpose) => (
          <Checkbox
            key={purpose}
            label={purposeName(purpose)}
            checked={entered.not_before[purpose] === 'identity_checked'}
            onChange={({ currentTarget: { checked } }) =>
              set({
                not_before: { ...entered.not_before, [purpose]: checked ? 'identity_checked' : 'none' },
              })
            }
          />
        ))}
      </Section>
      <ChoiceGroup
        legend="When do you order a search that a client has paid for?"
        choices={orderingChoices}
        value={entered.order_searches}
        onChoose={(order_searches) => set({ order_searches })}
        error={errors['value.order_searches']}
      />
    </>
  );
}

function Unasked({ entered, errors, onChange }: FieldsProps) {
  const set = (category: keyof PaymentRules['unasked'], change: object) =>
    onChange({
      ...entered,
      unasked: { ...entered.unasked, [category]: { ...entered.unasked[category], ...change } },
    });
  return (
    <Section title="Which payments do you accept without having asked for them?">
      <p className={styles.wide}>
        Clients need no permission here to pay what you ask for: bills, searches, payment requests and tasks
        to pay an amount. The identity check below may still come first. Money for no known reason is a risk:
        you must not provide banking facilities (
        <a href="https://www.sra.org.uk/solicitors/standards-regulations/accounts-rules/">
          SRA Accounts Rules 3.3
        </a>{' '}
        and the SRA’s warning notice on them), and have to know where it comes from (money laundering). Accept
        only what your matters need.
      </p>
      {unaskedCategories.map((category) => {
        const { accepts, upTo } = entered.unasked[category];
        const error = errors[`value.unasked.${category}`];
        return (
          <div key={category} className={styles.pair}>
            <Checkbox
              label={purposeName(category)}
              checked={accepts}
              onChange={({ currentTarget: { checked } }) => set(category, { accepts: checked })}
            />
            {accepts && (
              <TextField
                label={`${purposeName(category)}: up to`}
                hint="In pounds, in a day, for a case."
                inputMode="decimal"
                value={upTo}
                onChange={({ currentTarget }) => set(category, { upTo: currentTarget.value })}
                error={error && 'Enter an amount in pounds, from 0.01 to 1,000,000.'}
              />
            )}
          </div>
        );
      })}
    </Section>
  );
}

const orderingChoices: { value: OrderingRule; name: string; hint: string }[] = [
  {
    value: 'cleared',
    name: 'Once the money has cleared',
    hint: 'Clients read when it is expected to clear. Today lists the search from then on.',
  },
  {
    value: 'at_once',
    name: 'At once, from our office money',
    hint: 'Clients read the day on which you order. You pay the supplier. The client’s money may repay you once it has cleared and they have a bill or other written notice of the cost.',
  },
];
