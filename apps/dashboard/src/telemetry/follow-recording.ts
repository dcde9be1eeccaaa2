import type { ErrorReportingConfig } from '@keyturn/contract';
import type { BrowserClient } from '@sentry/react';
import type { Services } from '../api/services/services.ts';
import { matchPath } from '../navigation/paths.ts';
import type { RouteName } from '../navigation/route-table.ts';
import type { Router } from '../navigation/router.ts';
import type { SessionRecorder } from './record-session.ts';

/**
 * Records the session at the configured sample rates, only while the client agrees and a screen of `recordedScreens` is shown.
 * The recorder is not loaded before.
 */
export function followRecording(
  client: Pick<BrowserClient, 'addIntegration'>,
  config: ErrorReportingConfig,
  { recordingChoice, config: { api_base_url } }: Pick<Services, 'recordingChoice' | 'config'>,
  router: Pick<Router, 'onMove' | 'onShown' | 'place' | 'shown'>,
): void {
  let recorder: SessionRecorder | null = null;
  /** What the sample rates, or an error since, decided for this page load. */
  let mode: ReturnType<SessionRecorder['getRecordingMode']>;
  const mayRecord = () =>
    recordingChoice.get() === 'agreed' &&
    [router.shown()?.place, router.place()].every(
      (place) => place !== undefined && isRecorded(place.pathname),
    );

  const apply = async () => {
    if (!mayRecord()) {
      mode = recorder?.getRecordingMode() ?? mode;
      // Nothing more is sent after a client has withdrawn their consent.
      await recorder?.stop({ flush: recordingChoice.get() === 'agreed' });
      return;
    }
    if (!recorder) {
      const { createSessionRecorder } = await import('./record-session.ts');
      if (!mayRecord()) return;
      recorder = createSessionRecorder(config, api_base_url);
      client.addIntegration(recorder);
      mode = recorder.getRecordingMode();
    } else if (recorder.getRecordingMode() === undefined) {
      if (mode === 'session') recorder.start();
      if (mode === 'buffer') recorder.startBuffering();
    }
  };
  let last = Promise.resolve();
  const update = () => {
    last = last.then(apply).catch(() => undefined);
  };
  recordingChoice.subscribe(update);
  router.onMove(update);
  router.onShown(update);
  update();
}

/** Sign-in, payments, documents, messages and forms are never recorded. */
const recordedScreens: RouteName[] = ['index', 'milestones', 'case-history'];

function isRecorded(pathname: string): boolean {
  const match = matchPath(pathname);
  return match !== null && recordedScreens.includes(match.name);
}
