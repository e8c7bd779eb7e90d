import { keptAt } from '#core/channel/seats/seat.ts';
import { midjourneyTypes } from '#contract/channel-types.ts';
import { isAdmin } from '#contract/may.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import { AppError } from '#core/error.ts';
import { through } from '#core/outbound/through-proxy.ts';
import type { Task } from '#core/task/task.ts';
import { type MidjourneyAction, modelOfAction } from '../../dialects/midjourney/actions.ts';
import { codes, isTaken, readReply, writeTask } from '../../dialects/midjourney/midjourney-wire.ts';
import type { Caller } from '../request/request.ts';
import { type MidjourneyCall, readMidjourney } from './midjourney-requests.ts';
import { askUpstream, midjourneyRequest } from './task-upstream.ts';
import { type SubmitReply, unreadable } from './dispatch-task.ts';
import { submitTask } from './submit-task.ts';
import {
  json,
  readObject,
  type TaskAnswer,
  type TaskCall,
  type TaskDeps,
  taskIds,
  type TaskPoller,
} from './task-ports.ts';
import { withoutEnd } from '#contract/without-end.ts';

const TYPES: ReadonlySet<number> = new Set(midjourneyTypes);
const SEED_TIMEOUT_MS = 15_000;
const PICTURE_TIMEOUT_MS = 60_000;
/** These are answered with code 21: the upstream waits for the caller to fill something in. */
const WAITS_FOR_MORE: ReadonlySet<MidjourneyAction> = new Set(['INPAINT', 'CUSTOM_ZOOM']);

const readSubmitReply = (action: MidjourneyAction, status: number, body: unknown): SubmitReply => {
  const reply = readReply(body);
  if (status >= 400) {
    const message = reply?.description || `status ${String(status)}`;
    return {
      kind: 'refused',
      status,
      code: reply?.code ?? 5,
      message,
      answer: undefined,
      isExhausted: false,
      isOfContent: reply?.code === codes.banned,
    };
  }
  if (reply === undefined) throw unreadable();
  if (!isTaken(reply)) {
    return {
      kind: 'refused',
      status,
      code: reply.code,
      message: reply.description,
      answer: { ...reply, result: '' },
      isWorthAnother: reply.code === codes.noAccount || reply.code === codes.queueFull,
      isExhausted: reply.code === codes.noAccount,
    };
  }
  // Stored pictures are done at once.
  if (Array.isArray(reply.result))
    return { kind: 'accepted', upstreamId: '', code: reply.code, isDone: true, answer: () => reply };
  const code = reply.code === codes.exists && WAITS_FOR_MORE.has(action) ? codes.exists : codes.submitted;
  return {
    kind: 'accepted',
    upstreamId:
      typeof reply.result === 'string' || typeof reply.result === 'number' ? String(reply.result) : '',
    code: reply.code,
    answer: (publicId) => ({ ...reply, code, result: publicId }),
  };
};

/** The calls of Midjourney Proxy. */
export const createMidjourney = (deps: TaskDeps, poller: TaskPoller) => {
  const toWire = (task: Task, { origin }: TaskCall): Record<string, unknown> =>
    writeTask(task, imageUrlOf(deps, task, origin));
  const ownTask = async (caller: Caller, publicId: string): Promise<Task> => {
    const [task] = await deps.tasks.ofUser(caller.user.id, [publicId]);
    if (task?.platform !== 'mj') throw new AppError('not_found', 'task not found');
    return task;
  };
  return {
    async submit(call: TaskCall, caller: Caller, what: MidjourneyCall, mode: string): Promise<TaskAnswer> {
      const { options } = deps.routing();
      const given = await readObject(call, caller);
      const asked = await readMidjourney(deps, options, { what, mode, userId: caller.user.id }, given);
      const answer = await submitTask(deps, caller, {
        platform: 'mj',
        types: TYPES,
        model: modelOfAction(asked.action),
        action: asked.action,
        prompt: asked.prompt,
        state: asked.state,
        notifyHook: asked.notifyHook,
        reachedAt: call.origin,
        origin: asked.origin,
        call,
        body: asked.body,
        given,
        request: (channel, body) => midjourneyRequest(channel, asked.path, body),
        read: (status, body) => readSubmitReply(asked.action, status, body),
      });
      return json(answer);
    },

    fetch: async (call: TaskCall, caller: Caller, publicId: string): Promise<TaskAnswer> =>
      json(toWire(await ownTask(caller, publicId), call)),

    async list(call: TaskCall, caller: Caller): Promise<TaskAnswer> {
      const { ids } = await readObject(call, caller);
      const wanted = taskIds(ids);
      const found = await deps.tasks.ofUser(caller.user.id, wanted);
      return json(found.filter(({ platform }) => platform === 'mj').map((task) => toWire(task, call)));
    },

    async seed(caller: Caller, publicId: string): Promise<TaskAnswer> {
      const task = await ownTask(caller, publicId);
      const channel = keptAt(deps.routing().channels, task);
      if (channel === undefined) throw new AppError('no_channel', 'the channel of the task is gone');
      const path = `/mj/task/${encodeURIComponent(task.upstreamId)}/image-seed`;
      const { status, body } = await askUpstream(
        deps,
        channel,
        midjourneyRequest(channel, path),
        SEED_TIMEOUT_MS,
      );
      if (status >= 400 || typeof body !== 'object')
        throw new AppError('upstream_failed', `the upstream answered ${String(status)}`);
      return json(body);
    },

    image: (publicId: string): Promise<TaskAnswer> => picture(deps, publicId),

    /**
     * Handles a callback about a task. Its content is not trusted: the task is polled at its channel at once. Only the
     * task's owner or an administrator may cause that.
     */
    async notify(call: TaskCall, caller: Caller): Promise<TaskAnswer> {
      const { id } = await readObject(call, caller);
      const named = typeof id === 'string' ? await deps.tasks.byUpstreamId(id) : [];
      const allowed = named.filter(({ userId }) => userId === caller.user.id || isAdmin(caller.user));
      if (id === '' || allowed.length === 0) throw new AppError('not_found', 'task not found');
      await poller.poll(allowed);
      return json({ code: codes.submitted, description: 'ok', result: '' });
    },
  };
};

/** The content types passed on. Not SVG, which may contain scripts; parameters after the type are dropped. */
const KIND_OF_PICTURE = /^(?:image\/(?!svg)|video\/)[\w.+-]{1,40}/;

/** Serves the picture of a task without a key: whoever has its id, which cannot be guessed, may see it. */
const picture = async (deps: TaskDeps, publicId: string): Promise<TaskAnswer> => {
  const task = await deps.tasks.byPublicId(publicId);
  if (task?.platform !== 'mj' || task.imageUrl === '') throw new AppError('not_found', 'no such picture');
  deps.checkUrl(task.imageUrl);
  const signal = awakeSignal(PICTURE_TIMEOUT_MS);
  const proxy = keptAt(deps.routing().channels, task)?.setting.proxy;
  const sender = proxy === undefined ? deps.pictures : through(deps.sender, proxy);
  const reply = await sender.send({ method: 'GET', url: task.imageUrl, headers: {} }, signal);
  const [contentType] = KIND_OF_PICTURE.exec(String(reply.headers['content-type'] ?? '')) ?? [];
  if (reply.status === 200 && contentType !== undefined)
    return { kind: 'picture', contentType, body: reply.body };
  reply.body.discard();
  throw new AppError('upstream_failed', 'the picture is not available');
};

/**
 * The address of a picture: on this site if the operator has enabled that, else the upstream's. This site's address is
 * the one the operator has set, else `origin` from the reader's own request. A reader could forge it, so it is shown to
 * nobody else and never sent to an upstream.
 */
export const imageUrlOf = ({ routing }: Pick<TaskDeps, 'routing'>, task: Task, origin: string): string => {
  const { MjForwardUrlEnabled, ServerAddress } = routing().options;
  if (task.imageUrl === '' || !MjForwardUrlEnabled) return task.imageUrl;
  return `${withoutEnd(ServerAddress || origin, '/')}/mj/image/${task.publicId}`;
};
