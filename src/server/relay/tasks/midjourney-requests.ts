import { z } from 'zod';
import type { OptionValues } from '#contract/options.ts';
import { AppError } from '#core/error.ts';
import type { Task, TaskStore } from '#core/task/task.ts';
import {
  actionOfButton,
  actionOfChange,
  asksForSeveral,
  type MidjourneyAction,
  readSimpleChange,
  withoutModes,
} from '../../dialects/midjourney/actions.ts';
import { unpricedWorkRefused } from '../../dialects/unpriced-work.ts';

type Body = Readonly<Record<string, unknown>>;

/** The calls of Midjourney Proxy that submit a task, by the last part of their path. */
export type MidjourneyCall =
  | 'imagine'
  | 'change'
  | 'simple-change'
  | 'describe'
  | 'blend'
  | 'shorten'
  | 'modal'
  | 'action'
  | 'upload-discord-images'
  | 'swap';

/** What is sent to the upstream for a call. */
export interface MidjourneyRequest {
  readonly action: MidjourneyAction;
  /** Below the channel's address. */
  readonly path: string;
  readonly body: Body;
  readonly prompt: string;
  readonly state: string;
  readonly notifyHook: string;
  readonly origin: Task | undefined;
}

const fields = z.looseObject({
  prompt: z.string().max(100_000).catch(''),
  state: z.string().max(2000).catch(''),
  notifyHook: z.string().max(2048).catch(''),
  taskId: z.union([z.string(), z.number().transform(String)]).catch(''),
  content: z.string().max(2000).catch(''),
  customId: z.string().max(500).catch(''),
  action: z.string().catch(''),
});

type Fields = z.infer<typeof fields>;

const bad = (message: string): AppError => new AppError('invalid_request', message);

const actionsOfCalls: Readonly<Partial<Record<MidjourneyCall, MidjourneyAction>>> = {
  imagine: 'IMAGINE',
  describe: 'DESCRIBE',
  blend: 'BLEND',
  shorten: 'SHORTEN',
  modal: 'MODAL',
  'upload-discord-images': 'UPLOAD',
  swap: 'SWAP_FACE',
};

/** Returns the action and the task it continues. Throws `invalid_request` if the body does not name them. */
const asked = (
  call: MidjourneyCall,
  body: Fields,
): { readonly action: MidjourneyAction; readonly taskId: string; readonly change?: string } => {
  const action = actionsOfCalls[call];
  if (call === 'modal') return { action: 'MODAL', taskId: required(body.taskId) };
  if (action !== undefined) return { action, taskId: '' };
  if (call === 'simple-change') {
    const read = readSimpleChange(body.content);
    if (read === undefined) throw bad('content must be a task id and U1–U4, V1–V4 or R');
    return read;
  }
  if (call === 'change') {
    const change = actionOfChange(body.action);
    if (change === undefined) throw bad('action must be UPSCALE, VARIATION or REROLL');
    return { action: change, taskId: required(body.taskId) };
  }
  const button = actionOfButton(body.customId);
  if (button === undefined) throw bad('customId is not a known button');
  return { action: button, taskId: required(body.taskId) };
};

const required = (taskId: string): string => {
  if (taskId === '') throw bad('taskId is needed');
  return taskId;
};

interface Asker {
  readonly what: MidjourneyCall;
  /** The speed named by the path, such as `fast`; empty for none. */
  readonly mode: string;
  readonly userId: number;
}

/** Reads a call's body, finds the task it continues, and writes the upstream's request. */
export const readMidjourney = async (
  { tasks }: { readonly tasks: Pick<TaskStore, 'ofUser'> },
  options: OptionValues,
  { what: call, mode, userId }: Asker,
  given: Body,
): Promise<MidjourneyRequest> => {
  const body = fields.parse(given);
  if (call === 'imagine' && body.prompt.trim() === '') throw bad('prompt is needed');
  const { action, taskId, change } = asked(call, body);
  const origin = taskId === '' ? undefined : await originOf(tasks, userId, taskId);
  const mustHaveSucceeded = call !== 'modal' && options.MjActionCheckSuccessEnabled;
  if (origin !== undefined && mustHaveSucceeded && origin.status !== 'SUCCESS')
    throw bad('the original task has not succeeded');
  if (!options['global.unpriced_work_enabled'] && asksForSeveral(body.prompt))
    throw unpricedWorkRefused('prompt');
  const prompt = options.MjModeClearEnabled ? withoutModes(body.prompt) : body.prompt;
  const { notifyHook: _, accountFilter, ...rest } = given;
  return {
    action,
    path: call === 'swap' ? '/mj/insight-face/swap' : `/mj/submit/${call}`,
    body: {
      ...rest,
      ...('prompt' in given && { prompt }),
      ...(origin !== undefined && 'taskId' in given && { taskId: origin.upstreamId }),
      ...(origin !== undefined &&
        call === 'simple-change' && { content: `${origin.upstreamId} ${change ?? ''}` }),
      ...(options.MjAccountFilterEnabled && filterOf(accountFilter, mode)),
    },
    prompt,
    state: body.state,
    notifyHook: options.MjNotifyEnabled ? body.notifyHook : '',
    origin,
  };
};

/** The caller's drawing that a call continues. Throws `invalid_request` if there is none. */
const originOf = async (tasks: Pick<TaskStore, 'ofUser'>, userId: number, taskId: string): Promise<Task> => {
  const [origin] = await tasks.ofUser(userId, [taskId]);
  if (origin?.platform !== 'mj' || origin.upstreamId === '') throw bad('task not found');
  return origin;
};

/** The caller's account filter, limited to the speed its path names. */
const filterOf = (given: unknown, mode: string): Body => {
  const filter = typeof given === 'object' && given !== null ? given : {};
  if (mode === '') return given === undefined ? {} : { accountFilter: filter };
  return { accountFilter: { ...filter, modes: [mode.toUpperCase()] } };
};
