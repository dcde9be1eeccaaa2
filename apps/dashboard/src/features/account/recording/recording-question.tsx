import { useStore } from '@keyturn/browser/store/create-store.ts';
import { Button } from '@keyturn/ui/base/button.tsx';
import { useServices } from '../../../api/services/services.ts';
import type { RecordingAnswer } from '../../../api/session/recording-choice.ts';
import { Panel } from '../../../ui/content/panel.tsx';
import styles from './recording.module.css';
import { RecordingText } from './recording-text.tsx';

/** Asks the client once whether their use of the dashboard may be recorded. */
export const RecordingQuestion = () => (
  <Panel title="May we record how you use these pages?" look="raised" small>
    <RecordingText isQuestion />
    <RecordingButtons answers={['agreed', 'declined']} />
  </Panel>
);

/** The client’s choice about recordings on this device, which they can change at any time. */
export function RecordingSection() {
  const { recordingChoice } = useServices();
  const answer = useStore(recordingChoice);
  if (!recordingChoice.isOffered) return null;
  return (
    <Panel title="Recordings" look="raised">
      <p role="status" className={styles.state}>
        {answer === 'agreed' ? 'You allow recordings on this device.' : 'Nothing is recorded on this device.'}
      </p>
      <RecordingText />
      <RecordingButtons answers={answer === 'agreed' ? ['declined'] : ['agreed']} />
    </Panel>
  );
}

/** Buttons of equal weight. */
function RecordingButtons({ answers }: { answers: RecordingAnswer[] }) {
  const { recordingChoice } = useServices();
  return (
    <div className={styles.buttons}>
      {answers.map((answer) => (
        <Button key={answer} look="quiet" onClick={() => recordingChoice.choose(answer)}>
          {answer === 'agreed' ? 'Allow recordings' : 'Don’t record'}
        </Button>
      ))}
    </div>
  );
}
