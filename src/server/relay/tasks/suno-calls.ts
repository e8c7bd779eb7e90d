import { sunoTypes } from '#contract/channel-types.ts';
import { AppError } from '#core/error.ts';
import type { Task } from '#core/task/task.ts';
import { clipsMadeIn, clipsNamedIn, isEmpty, type NamedClips } from '../../dialects/suno/named-clips.ts';
import { readSubmission, writeTask } from '../../dialects/suno/suno-wire.ts';
import type { Caller } from '../request/request.ts';
import { type SubmitReply, unreadable } from './dispatch-task.ts';
import { sunoRequest } from './task-upstream.ts';
import { submitTask } from './submit-task.ts';
import { json, readObject, type TaskAnswer, type TaskCall, type TaskDeps, taskIds } from './task-ports.ts';

const TYPES: ReadonlySet<number> = new Set(sunoTypes);
const DEFAULT_VERSION = 'chirp-v3-0';

const readSubmitReply = (status: number, body: unknown): SubmitReply => {
  const read = readSubmission(body);
  if (status < 400 && read === undefined) throw unreadable();
  if (status < 400 && read !== undefined && 'upstreamId' in read) {
    const answer = (publicId: string) => ({ code: 'success', message: '', data: publicId });
    return { kind: 'accepted', upstreamId: read.upstreamId, code: 1, answer };
  }
  const message = read !== undefined && 'problem' in read ? read.problem : `status ${String(status)}`;
  const refused = {
    kind: 'refused',
    status,
    code: 5,
    message,
    answer: undefined,
    isExhausted: false,
  } as const;
  return status < 400 ? { ...refused, isWorthAnother: true } : refused;
};

/**
 * All callers share the upstream's account: whoever knows the id of a clip, which its public address contains, could have it
 * continued. So it must be one of the caller's own task, unless the operator lets everybody name what is in the account.
 */
const refuseForeign = (
  { routing }: Pick<TaskDeps, 'routing'>,
  clips: readonly NamedClips[],
  origin: Task | undefined,
): void => {
  if (routing().options['global.account_objects_enabled']) return;
  if (clips.length === 0) return;
  const made = clipsMadeIn(origin?.data ?? '');
  const foreign = clips.find(({ ids }) => ids.some((id) => !made.has(id)));
  if (foreign === undefined) return;
  const message = `${foreign.field}: the task has made no such clip`;
  throw new AppError('invalid_request', message, { param: foreign.field });
};

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The calls of the Suno API. */
export const createSuno = (deps: TaskDeps) => ({
  async submit(call: TaskCall, caller: Caller, what: 'music' | 'lyrics'): Promise<TaskAnswer> {
    const given = await readObject(call, caller);
    if (what === 'lyrics' && text(given['prompt']).trim() === '')
      throw new AppError('invalid_request', 'prompt is needed', { param: 'prompt' });
    const clips = clipsNamedIn(given);
    const [clip] = clips;
    const continued = clip !== undefined || !isEmpty(given['task_id']);
    if (clip !== undefined && text(given['task_id']) === '')
      throw new AppError('invalid_request', `${clip.field} needs task_id`, { param: 'task_id' });
    const [origin] = continued ? await deps.tasks.ofUser(caller.user.id, [text(given['task_id'])]) : [];
    if (continued && origin?.platform !== 'suno')
      throw new AppError('invalid_request', 'task not found', { param: 'task_id' });
    refuseForeign(deps, clips, origin);
    const body = {
      ...given,
      ...(what === 'music' && { mv: text(given['mv']) || DEFAULT_VERSION }),
      ...(origin !== undefined && { task_id: origin.upstreamId }),
    };
    const action = what.toUpperCase();
    const answer = await submitTask(deps, caller, {
      platform: 'suno',
      types: TYPES,
      model: `suno_${what}`,
      action,
      prompt: text(given['gpt_description_prompt']) || text(given['prompt']),
      state: '',
      notifyHook: '',
      reachedAt: call.origin,
      origin,
      call,
      body,
      given,
      request: (channel, sent) => sunoRequest(channel, `/suno/submit/${action}`, sent),
      read: readSubmitReply,
    });
    return json(answer);
  },

  async fetchMany(call: TaskCall, caller: Caller): Promise<TaskAnswer> {
    const { ids, action } = await readObject(call, caller);
    const wanted = taskIds(ids);
    const found = (await deps.tasks.ofUser(caller.user.id, wanted)).filter(
      (task) =>
        task.platform === 'suno' && (text(action) === '' || task.action === text(action).toUpperCase()),
    );
    return json({ code: 'success', message: '', data: found.map(writeTask) });
  },

  async fetchOne(caller: Caller, publicId: string): Promise<TaskAnswer> {
    const [task] = await deps.tasks.ofUser(caller.user.id, [publicId]);
    if (task?.platform !== 'suno') throw new AppError('not_found', 'task not found');
    return json({ code: 'success', message: '', data: writeTask(task) });
  },
});
