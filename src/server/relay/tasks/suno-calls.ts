import { sunoTypes } from '#contract/channel-types.ts';
import { AppError } from '#core/error.ts';
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

/** Fields that name the result of another task to continue, cover or imitate. That task must be the caller's own. */
const NAMES_CLIP = /(?:clip|persona|song|audio|upload)_?id$/i;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The calls of the Suno API. */
export const createSuno = (deps: TaskDeps) => ({
  async submit(call: TaskCall, caller: Caller, what: 'music' | 'lyrics'): Promise<TaskAnswer> {
    const given = await readObject(call, caller);
    if (what === 'lyrics' && text(given['prompt']).trim() === '')
      throw new AppError('invalid_request', 'prompt is needed', { param: 'prompt' });
    const clip = Object.keys(given).find((name) => NAMES_CLIP.test(name) && text(given[name]) !== '');
    const continued = clip !== undefined || text(given['task_id']) !== '';
    if (clip !== undefined && text(given['task_id']) === '')
      throw new AppError('invalid_request', `${clip} needs task_id`, { param: 'task_id' });
    const [origin] = continued ? await deps.tasks.ofUser(caller.user.id, [text(given['task_id'])]) : [];
    if (continued && origin?.platform !== 'suno')
      throw new AppError('invalid_request', 'task not found', { param: 'task_id' });
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
