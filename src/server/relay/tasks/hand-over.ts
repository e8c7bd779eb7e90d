import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { disableReason } from '#core/channel/health.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Task, TaskChanges } from '#core/task/task.ts';
import { closeTask } from './close-task.ts';
import { readUpstream } from './read-upstream.ts';
import type { Chosen, Submission, Submitted } from './submission.ts';
import { withoutSecrets } from '../without-secrets.ts';
import type { TaskDeps } from './task-ports.ts';

const SUBMIT_TIMEOUT_MS = 60_000;

type Taken = Extract<Submitted, { kind: 'taken' }>;
type Refused = Extract<Submitted, { kind: 'refused' }>;

/** Tries channels until one takes the task; what none takes is given back, and the last refusal is the answer. */
export const handOver = async (
  deps: TaskDeps,
  begun: Task,
  submission: Submission,
  first: Chosen,
  next: (group: string) => Chosen,
): Promise<{ readonly isTaken: boolean; readonly answer: unknown }> => {
  let chosen = first;
  const { RetryTimes } = deps.routing().options;
  for (let attempt = 0; ; attempt += 1) {
    const { channel } = chosen;
    deps.channels.seen(channel.id, chosen.group, submission.userAgent);
    const task = { ...begun, channelId: channel.id };
    const outcome = await sent(deps, submission, channel);
    if (outcome.kind === 'taken') return { isTaken: true, answer: await taken(deps, task, outcome) };
    const reason = channel.autoDisable ? stopReason(outcome, deps.routing().options) : undefined;
    if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
    const another = outcome.isWorthAnother && attempt < RetryTimes ? tryNext(next, chosen.group) : undefined;
    if (another === undefined) return { isTaken: false, answer: await givenBack(deps, task, outcome) };
    chosen = another;
  }
};

/** Why the channel is switched off: nobody is left to draw there, or its error is one of those that do not pass. */
const stopReason = ({ isExhausted, status, message }: Refused, options: OptionValues): string | undefined => {
  if (isExhausted) return options.AutomaticDisableChannelEnabled ? message : undefined;
  // An answer that is no error may repeat the caller's own words.
  if (status < 400) return undefined;
  return disableReason(new AppError('upstream_failed', message, { upstream: { status, message } }), options);
};

const tryNext = (next: (group: string) => Chosen, group: string): Chosen | undefined => {
  try {
    return next(group);
  } catch {
    return undefined;
  }
};

const sent = async (deps: TaskDeps, submission: Submission, channel: Channel): Promise<Submitted> => {
  try {
    const request = { ...submission.request(channel), headMs: SUBMIT_TIMEOUT_MS };
    const { status, body } = await readUpstream(deps, channel, request, SUBMIT_TIMEOUT_MS);
    return submission.read(status, body);
  } catch (thrown) {
    const error = withoutSecrets(asAppError(thrown), secretsOf(channel));
    // Whether a task that ran into a timeout was taken nobody knows: it is not sent twice.
    const isWorthAnother = error.code !== 'upstream_timeout';
    return {
      kind: 'refused',
      status: 0,
      code: 5,
      message: error.message,
      answer: undefined,
      isWorthAnother,
      isExhausted: false,
    };
  }
};

const taken = async (deps: TaskDeps, task: Task, outcome: Taken): Promise<unknown> => {
  const changes: TaskChanges = {
    upstreamId: outcome.upstreamId,
    channelId: task.channelId,
    code: outcome.code,
    submittedAtMs: deps.clock.now(),
  };
  if (outcome.isDone === true) await closeTask(deps, task, { status: 'SUCCESS', changes });
  else await deps.tasks.update(task.id, { ...changes, status: 'SUBMITTED' });
  return outcome.answer(task.publicId);
};

const givenBack = async (deps: TaskDeps, task: Task, outcome: Refused): Promise<unknown> => {
  const changes = { channelId: task.channelId, code: outcome.code, failReason: outcome.message };
  await closeTask(deps, task, { status: 'FAILURE', changes });
  if (outcome.answer !== undefined) return outcome.answer;
  throw new AppError('upstream_failed', `the upstream failed: ${outcome.message}`);
};
