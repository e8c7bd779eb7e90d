import { AwakeTimer } from '#core/awake-timer.ts';
import { AppError } from '#core/error.ts';
import type { Running } from './running.ts';
import { isAnswered } from './to-the-end.ts';

/** What an answer used is told right behind its end. */
const REPORT_MS = 5000;

/**
 * Ends a call whose caller has left: its upstream is stopped. One that has said all of its answer and not yet what it used
 * is heard to the end first: who leaves between the two has everything, and would not pay for thoughts that are not shown.
 */
export const callerLeft = (running: Running): void => {
  const stop = (): void => running.stop(new AppError('client_closed', 'the caller went away'));
  if (!owesReport(running)) return stop();
  void new AwakeTimer(REPORT_MS, () => {
    if (running.holdState === 'open') stop();
  });
};

const owesReport = (running: Running): boolean => {
  const { meter, stopped } = running;
  if (stopped !== undefined || !meter.finished || !isAnswered(running)) return false;
  return meter.reported === undefined || meter.outputBytes > meter.reportedBytes;
};
