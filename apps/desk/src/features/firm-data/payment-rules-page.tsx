import type { OrderingRule } from '@keyturn/contract';
import { callStaff } from '../../api/desk-api.ts';
import { PageHead } from '../../ui/base/page.tsx';
import { ChoiceGroup } from '../../ui/forms/choice-group.tsx';
import { SettingsForm } from './settings-form.tsx';
import { useSave, useVersioned } from './use-versioned.ts';

/** Where admins decide when the firm acts on what clients pay. */
export default function PaymentRulesPage() {
  const settings = useVersioned('GET /staff/payment-rules', (value) => value);
  const save = useSave(settings, {
    toValue: (entered) => entered,
    send: (body) => callStaff('PUT /staff/payment-rules', { body }),
    changed: 'Rules for payments saved.',
    restored: 'Rules for payments restored.',
  });
  return (
    <>
      <PageHead title="Rules for payments">
        What clients read about their searches follows from these rules, also about those that are paid
        already. A change shows on open pages within three minutes.
      </PageHead>
      <SettingsForm what="the rules for payments" settings={settings} onSave={save}>
        {(errors) =>
          settings.current && (
            <ChoiceGroup
              legend="When do you order a search that a client has paid for?"
              choices={orderingChoices}
              value={settings.current.entered.order_searches}
              onChoose={(order_searches) => settings.change({ order_searches })}
              error={errors['value.order_searches']}
            />
          )
        }
      </SettingsForm>
    </>
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
