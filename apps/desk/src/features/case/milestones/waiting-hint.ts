import { startsWithYou } from '@keyturn/contract';
import type { DeskMilestone } from '@keyturn/contract/staff';
import type { FormValues } from '../edits/form-values.ts';
import type { MilestoneField } from './milestone-edits.ts';
import { textForStaff } from './text-for-staff.ts';

/**
 * Says, below the field “Waiting for”, what clients see now and when they see the text in the field.
 * @param values the entries of the form
 * @param firstClient the first name of the client whose view staff see
 */
export function waitingHint(
  milestone: DeskMilestone,
  values: Pick<FormValues<MilestoneField>, 'status' | 'waiting_for' | 'waiting_since'>,
  firstClient: string,
): string {
  const { derived_waiting: derived, own_waiting_for, own_waiting_since } = milestone;
  if (values.status !== 'current' && values.status !== 'blocked')
    return 'Clients see this only while the step is under way or held up.';
  if (!derived)
    return 'Clients see this once the step is saved as under way. What they have to pay, sign or read in it comes first.';
  const now = `“${textForStaff(derived.waiting_for, firstClient)}”`;
  const text = values.waiting_for.trim();
  if (text === '')
    return `Clients see ${now} while this is empty. Fill in only what Keyturn can’t work out, such as a seller who is away.`;
  if (derived.basis === 'usual') return `Clients see this instead of ${now}.`;
  if (startsWithYou(text))
    return `Clients see ${now}, and not this text: it starts with “You”, and Keyturn works out itself what they have to do in this step.`;
  const isUnchanged = text === own_waiting_for && values.waiting_since === (own_waiting_since ?? '');
  if (derived.is_own_outdated && isUnchanged)
    return `Clients see ${now}. They no longer see this text, because something has happened in the step since you wrote it. Change it to show it again.`;
  if (derived.basis === 'certain')
    return `Clients see ${now}. If this text says more, they see it as “Also waiting for”, until the next payment, signature or other event of the step.`;
  return `Clients see this instead of ${now}, until the next payment, signature or other event of the step.`;
}
