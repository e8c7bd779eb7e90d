import { AppError } from '#core/error.ts';
import { isRefused } from '#core/ledger/ledger.ts';
import type { CloseOutcome } from '#core/ledger/ledger.ts';
import { logType } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import { type Task, taskHoldId, type TaskChanges } from '#core/task/task.ts';
import { taskLog } from '#core/task/task-log.ts';
import { noUsage } from '#core/chat/usage.ts';
import { costOfRow } from '../bill/cost/cost-of-call.ts';
import { voidUnsureHold } from '../bill/hold/close-hold.ts';
import { holdRefusal } from '../bill/hold/hold-refusal.ts';
import type { Caller } from '../request/request.ts';
import type { TaskDeps } from './task-ports.ts';

/** Longer than any task may run; older holds are given back by the sweeper. */
const HOLD_LIFE_MS = 7 * 24 * 3_600_000;

/** Holds the price of a task. If the hold is refused, deletes the task and throws. */
export const holdTask = async (
  deps: Pick<TaskDeps, 'ledger' | 'tasks' | 'clock' | 'refusals'>,
  task: Task,
  payer: Pick<Caller, 'user' | 'token'>,
  options: OptionValues,
): Promise<void> => {
  const outcome = await deps.ledger
    .hold({
      id: taskHoldId(task.publicId),
      userId: task.userId,
      tokenId: payer.token?.id ?? null,
      quotaUnits: task.quotaUnits,
      nowMs: task.createdAtMs,
      expiresAtMs: task.createdAtMs + HOLD_LIFE_MS,
    })
    .catch(async (thrown: unknown) => {
      void voidUnsureHold(deps, taskHoldId(task.publicId));
      await deps.tasks.forget(task.id);
      throw thrown;
    });
  if (!isRefused(outcome)) return;
  await deps.tasks.forget(task.id);
  const error = holdRefusal(outcome, task.quotaUnits, options);
  if (typeof outcome === 'object') {
    const ending = { type: logType.error, nowMs: deps.clock.now(), content: error.message, quotaUnits: 0 };
    await deps.refusals.note(payer, () => taskLog(task, ending));
  }
  throw error;
};

type CloseDeps = Pick<
  TaskDeps,
  'ledger' | 'tasks' | 'routing' | 'clock' | 'availability' | 'houseCosts' | 'log'
>;

/** How a task ended. */
export interface TaskEnd {
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly changes: TaskChanges;
  /** Why it was not accepted. If missing, a failed task counts as its upstream's failure. */
  readonly failure?: AppError;
  /** It failed although its upstream may have done it, or may still do it. */
  readonly isUnsure?: boolean;
}

/**
 * Ends a task: charges its hold if it succeeded, or gives it back if it failed, for user and token. The ledger moves
 * the money first and only once per id, so a crash or a second answer in between changes nothing. The log row says what
 * the ledger did. Whoever closed the hold writes the row; others write it only if nobody has.
 */
export const closeTask = async (deps: CloseDeps, task: Task, end: TaskEnd): Promise<void> => {
  const nowMs = deps.clock.now();
  const outcome = await closeTaskHold(deps, task, end, nowMs);
  if (outcome.state === 'closed') {
    noteEnd(deps, task, end);
    if (end.isUnsure === true) noteUnsureCost(deps, task, nowMs);
    await deps.tasks.finish(task.id, rowOf(end, nowMs));
  } else await deps.tasks.update(task.id, rowOf(asClosed(end, outcome), nowMs));
};

/**
 * Counts a task for the availability of its model when it ends. It counts once, because only one node closes its hold.
 */
const noteEnd = (
  { availability }: Pick<TaskDeps, 'availability'>,
  { userId, group, model, createdAtMs: atMs }: Task,
  { status, failure, changes }: TaskEnd,
): void => {
  const reason = changes.failReason ?? '';
  availability.note({
    atMs,
    userId,
    group,
    model,
    failure: status === 'SUCCESS' ? undefined : (failure ?? new AppError('upstream_failed', reason)),
    firstTokenMs: undefined,
  });
};

/** The hold is given back although the upstream may have made the task: its price becomes a cost of the house. */
const noteUnsureCost = ({ houseCosts, routing, log }: CloseDeps, task: Task, nowMs: number): void => {
  const { channelId } = task;
  const row = taskLog(task, { type: logType.error, nowMs, content: '', quotaUnits: 0 });
  const cost = costOfRow(routing(), { ...row, keyId: task.keyId }, noUsage);
  void houseCosts
    .add({ channelId, kind: 'attempt', atMs: nowMs, ...cost, isEstimated: true })
    .catch((error: unknown) =>
      log.error('a cost of the house could not be written', { error, channel: channelId }),
    );
};

/** The end for which another node closed the hold. A different end that the upstream reports now is ignored. */
const asClosed = (end: TaskEnd, outcome: CloseOutcome): TaskEnd => {
  if (outcome.state !== 'already_closed') return end;
  const status = outcome.wasCharged ? 'SUCCESS' : 'FAILURE';
  return status === end.status ? end : { status, changes: {} };
};

const rowOf = ({ status, changes }: TaskEnd, nowMs: number): TaskChanges => ({
  ...changes,
  status,
  progress: '100%',
  finishedAtMs: changes.finishedAtMs || nowMs,
  ...(status === 'FAILURE' && { quotaUnits: 0, failReason: changes.failReason || 'failed' }),
});

const closeTaskHold = (
  deps: CloseDeps,
  task: Task,
  { status, changes }: TaskEnd,
  nowMs: number,
): Promise<CloseOutcome> => {
  const id = taskHoldId(task.publicId);
  const failReason = changes.failReason ?? '';
  if (status === 'SUCCESS') {
    const content = `${task.action}, ${task.model}`;
    const { quotaUnits } = task;
    const made = taskLog(task, { type: logType.consume, nowMs, content, quotaUnits });
    const log = { ...made, ...costOfRow(deps.routing(), { ...made, keyId: task.keyId }, noUsage) };
    const writeLog = deps.routing().options.LogConsumeEnabled;
    return deps.ledger.settle({ id, quotaUnits, nowMs, log, writeLog });
  }
  const content = [task.action, failReason].filter(Boolean).join(': ');
  const log = taskLog(task, { type: logType.error, nowMs, content, quotaUnits: 0 });
  return deps.ledger.void(id, nowMs, log);
};
