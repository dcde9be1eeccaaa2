import { Button } from '../../../ui/base/button.tsx';
import { Section } from '../../../ui/base/page.tsx';
import type { CasePartProps } from '../case-part-props.ts';
import { saveQuiet } from './save-quiet.ts';

/** Says whether the whole case is quiet, and changes it. */
export function QuietSection({ deskCase, changes }: CasePartProps) {
  const { id, reference, is_quiet: isQuiet = false } = deskCase;
  return (
    <Section
      title="Quiet"
      actions={
        <Button
          onClick={() =>
            void saveQuiet(changes, id, { milestone_id: null, is_quiet: !isQuiet }, `Case ${reference}`)
          }
        >
          {isQuiet ? 'End quiet' : 'Make the case quiet'}
        </Button>
      }
    >
      <p>
        {isQuiet
          ? 'This case is quiet: a promise that shows runs to its day, and no apology follows. You can still send updates. The word is never shown to clients.'
          : 'Not quiet. Use it for any cause; no reason is asked or stored. An apology that shows already disappears, so send an update first. One step can be made quiet under Milestones.'}
      </p>
    </Section>
  );
}
