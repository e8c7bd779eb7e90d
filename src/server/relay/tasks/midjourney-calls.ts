import { midjourneyTypes } from '#contract/channel-types.ts';
import { isAdmin } from '#contract/may.ts';
import { parsed } from '#contract/text.ts';
import { awakeSignal } from '#core/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import { through } from '#core/outbound-proxy.ts';
import type { Task } from '#core/task/task.ts';
import { type MidjourneyAction, modelOfAction } from '../../dialects/midjourney/actions.ts';
import { codes, isTaken, readReply, writeTask } from '../../dialects/midjourney/midjourney-wire.ts';
import type { Caller } from '../running.ts';
import { type MidjourneyCall, readMidjourney } from './midjourney-requests.ts';
import { readUpstream } from './read-upstream.ts';
import type { Submitted } from './submission.ts';
import { submitTask } from './submit-task.ts';
import { json, type TaskAnswer, type TaskCall, type TaskDeps } from './task-ports.ts';
import type { TaskPoller } from './task-poller.ts';

const TYPES: ReadonlySet<number> = new Set(midjourneyTypes);
const SEED_TIMEOUT_MS = 15_000;
const PICTURE_TIMEOUT_MS = 60_000;
const LISTED_MAX = 500;
/** These answer 21 on purpose: they wait for what the caller fills in. */
const WAITS_FOR_MORE: ReadonlySet<MidjourneyAction> = new Set(['INPAINT', 'CUSTOM_ZOOM']);

/** A request to a channel of this kind. */
export const midjourneyRequest = (channel: Channel, path: string, body?: unknown): OutboundRequest => {
  if (channel.baseUrl === '') throw new AppError('no_channel', 'the channel has no address');
  return {
    method: body === undefined ? 'GET' : 'POST',
    url: channel.baseUrl + path,
    headers: { 'content-type': 'application/json', 'mj-api-secret': channel.key.reveal() },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(channel.setting.proxy !== undefined && { proxy: channel.setting.proxy }),
  };
};

/** The JSON object of a body. Throws `invalid_request`. */
export const readObject = async (
  call: TaskCall,
  { user }: Pick<Caller, 'user'>,
): Promise<Record<string, unknown>> => {
  const body = parsed((await call.readBody(user.id)).toString());
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Record<string, unknown>;
  throw new AppError('invalid_request', 'the body must be a JSON object');
};

const readSubmitted = (action: MidjourneyAction, status: number, body: unknown): Submitted => {
  const reply = readReply(body);
  if (status >= 400 || reply === undefined) {
    const message = reply?.description || `status ${String(status)}`;
    const isOwn = status === 400 || status === 413 || status === 422;
    return {
      kind: 'refused',
      status,
      code: reply?.code ?? 5,
      message,
      answer: undefined,
      isWorthAnother: !isOwn,
      isExhausted: false,
    };
  }
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
  // Pictures that were only stored come back at once.
  if (Array.isArray(reply.result))
    return { kind: 'taken', upstreamId: '', code: reply.code, isDone: true, answer: () => reply };
  const code = reply.code === codes.exists && WAITS_FOR_MORE.has(action) ? codes.exists : codes.submitted;
  return {
    kind: 'taken',
    upstreamId:
      typeof reply.result === 'string' || typeof reply.result === 'number' ? String(reply.result) : '',
    code: reply.code,
    answer: (publicId) => ({ ...reply, code, result: publicId }),
  };
};

/** The calls of Midjourney Proxy. */
export const createMidjourney = (deps: TaskDeps, poller: TaskPoller) => {
  const shown = (task: Task, { origin }: TaskCall): Record<string, unknown> =>
    writeTask(task, imageUrlOf(deps, task, origin));
  const own = async (caller: Caller, publicId: string): Promise<Task> => {
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
        userAgent: call.headers['user-agent'],
        given,
        request: (channel) => midjourneyRequest(channel, asked.path, asked.body),
        read: (status, body) => readSubmitted(asked.action, status, body),
      });
      return json(answer);
    },

    fetch: async (call: TaskCall, caller: Caller, publicId: string): Promise<TaskAnswer> =>
      json(shown(await own(caller, publicId), call)),

    async list(call: TaskCall, caller: Caller): Promise<TaskAnswer> {
      const { ids } = await readObject(call, caller);
      const wanted = Array.isArray(ids) ? ids.map(String).slice(0, LISTED_MAX) : [];
      const found = await deps.tasks.ofUser(caller.user.id, wanted);
      return json(found.filter(({ platform }) => platform === 'mj').map((task) => shown(task, call)));
    },

    async seed(caller: Caller, publicId: string): Promise<TaskAnswer> {
      const task = await own(caller, publicId);
      const channel = deps.routing().channels.get(task.channelId);
      if (channel === undefined) throw new AppError('no_channel', 'the channel of the task is gone');
      const path = `/mj/task/${encodeURIComponent(task.upstreamId)}/image-seed`;
      const { status, body } = await readUpstream(
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
     * An upstream says that a task has moved. Its word is not taken: the task is asked for at its channel at once. Only
     * the owner of the task, or an administrator, may have that done.
     */
    async notify(call: TaskCall, caller: Caller): Promise<TaskAnswer> {
      const { id } = await readObject(call, caller);
      const told = typeof id === 'string' ? await deps.tasks.byUpstreamId(id) : [];
      const mine = told.filter(({ userId }) => userId === caller.user.id || isAdmin(caller.user));
      if (id === '' || mine.length === 0) throw new AppError('not_found', 'task not found');
      await poller.ask(mine);
      return json({ code: codes.submitted, description: 'ok', result: '' });
    },
  };
};

/** The picture of a task, for anybody who knows its id, which cannot be guessed. */
const picture = async (deps: TaskDeps, publicId: string): Promise<TaskAnswer> => {
  const task = await deps.tasks.byPublicId(publicId);
  if (task?.platform !== 'mj' || task.imageUrl === '') throw new AppError('not_found', 'no such picture');
  deps.checkUrl(task.imageUrl);
  const signal = awakeSignal(PICTURE_TIMEOUT_MS);
  const proxy = deps.routing().channels.get(task.channelId)?.setting.proxy;
  const sender = proxy === undefined ? deps.pictures : through(deps.sender, proxy);
  const reply = await sender.send({ method: 'GET', url: task.imageUrl, headers: {} }, signal);
  const contentType = String(reply.headers['content-type'] ?? '');
  if (reply.status === 200 && /^(?:image\/(?!svg)|video\/)/.test(contentType))
    return { kind: 'picture', contentType, body: reply.body };
  reply.body.discard();
  throw new AppError('upstream_failed', 'the picture cannot be had');
};

/**
 * Where the caller finds the picture: here, while the operator wants that, else where the upstream has it. "Here" is the
 * address the operator has set, else `origin`, the one the reader has called. A reader writes that address themselves, so
 * it is told to nobody else, and never to an upstream.
 */
export const imageUrlOf = ({ routing }: Pick<TaskDeps, 'routing'>, task: Task, origin: string): string => {
  const { MjForwardUrlEnabled, ServerAddress } = routing().options;
  if (task.imageUrl === '' || !MjForwardUrlEnabled) return task.imageUrl;
  return `${(ServerAddress || origin).replace(/\/+$/, '')}/mj/image/${task.publicId}`;
};
