import { useServices } from '../../../api/services/services.ts';
import styles from './recording.module.css';

/** Says what a recording shows, as the firm has configured it. */
export function RecordingText({ isQuestion = false }: { isQuestion?: boolean }) {
  const { error_reporting: config } = useServices().config;
  return (
    <p className={styles.about}>
      {(config?.replays_session_sample_rate ?? 0) > 0
        ? 'We record some visits, to see what happened when a page doesn’t work as it should.'
        : 'When a page doesn’t work as it should, we record what happened before.'}{' '}
      The recording goes to the service that receives our error reports.{' '}
      {config?.mask_all
        ? 'It hides all words and pictures.'
        : 'It contains your details and your case as these pages show them, but never what you type.'}{' '}
      We only record your case’s home page, milestones and history: never signing in, payments, documents or
      your account. Everything works the same without it.
      {isQuestion && ' You can change your choice under “Your account”.'}
    </p>
  );
}
