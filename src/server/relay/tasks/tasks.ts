import { textDigest } from '../request/text-digest.ts';
import { mayBeDone } from '#core/channel/health/retry.ts';
import { asAppError, type AppError } from '#core/error.ts';
import { createWordCheck } from '#core/words/check-words.ts';
import { refusalHeaders } from '../caller/reply-headers.ts';
import type { RelayDeps } from '../ports.ts';
import { RefusalLog } from '../bill/refusal-log.ts';
import { createMidjourney } from './midjourney-calls.ts';
import type { MidjourneyCall } from './midjourney-requests.ts';
import { createSuno } from './suno-calls.ts';
import { createTaskPoller } from './task-poller.ts';
import type { TaskPoller, TaskAnswer, TaskCall, TaskDeps } from './task-ports.ts';

/** Drawing and music tasks: a submitted task is answered with an id, and its result is fetched later. */
export interface TaskRelay {
  /** Answers a call below `/mj` or `/suno`; never rejects. Undefined if there is no such call. */
  serve(call: TaskCall): Promise<TaskAnswer> | undefined;
  readonly poller: TaskPoller;
}

/** The speed may come first: `/mj-fast/mj/…` or `/fast/mj/…`. */
const MIDJOURNEY = /^\/(?:(?:mj-(\w{1,20})|(fast|relax|turbo))\/)?mj\/(.+)$/;
/** What Midjourney Proxy takes below `submit/`. */
export const SUBMITS: readonly MidjourneyCall[] = [
  'imagine',
  'change',
  'simple-change',
  'describe',
  'blend',
  'shorten',
  'modal',
  'action',
  'upload-discord-images',
];
/** What it tells of a task. */
export const TASK_READS = ['fetch', 'image-seed'] as const;
const SUBMIT = new RegExp(`^submit/(${SUBMITS.join('|')})$`);
const TASK = new RegExp(`^task/([\\w-]{1,64})/(${TASK_READS.join('|')})$`);
const IMAGE = /^image\/([\w-]{1,64})$/;
/** Calls below these paths make an upstream start a task. */
const MAKES = /\/(?:submit|insight-face)\//i;
const SUNO = /^\/suno\/(?:submit\/(music|lyrics)|fetch(?:\/([\w-]{1,64}))?)$/i;

/** Creates the calls of Midjourney and Suno, and the poller that asks upstreams for the state of tasks. */
export const createTaskRelay = (
  given: Omit<TaskDeps, 'checkWords' | 'refusals'> & Pick<RelayDeps, 'logs'>,
): TaskRelay => {
  const deps: TaskDeps = {
    ...given,
    checkWords: createWordCheck(textDigest),
    refusals: new RefusalLog(given),
  };
  const poller = createTaskPoller(deps);
  const midjourney = createMidjourney(deps, poller);
  const suno = createSuno(deps);
  const caller = async (call: TaskCall) => deps.authenticate({ ...call, headers: keyedHeaders(call) });

  const midjourneyCall = (call: TaskCall, mode: string, path: string): Promise<TaskAnswer> | undefined => {
    const submit = SUBMIT.exec(path)?.[1] ?? (path === 'insight-face/swap' ? 'swap' : undefined);
    const [, taskId = '', what] = TASK.exec(path) ?? [];
    const imageId = IMAGE.exec(path)?.[1];
    if (call.method === 'POST' && submit !== undefined)
      return caller(call).then((who) => midjourney.submit(call, who, submit as MidjourneyCall, mode));
    if (call.method === 'POST' && path === 'task/list-by-condition')
      return caller(call).then((who) => midjourney.list(call, who));
    if (call.method === 'POST' && path === 'notify')
      return caller(call).then((who) => midjourney.notify(call, who));
    if (call.method !== 'GET') return undefined;
    if (imageId !== undefined) return midjourney.image(imageId);
    if (what === 'fetch') return caller(call).then((who) => midjourney.fetch(call, who, taskId));
    if (what === 'image-seed') return caller(call).then((who) => midjourney.seed(who, taskId));
    return undefined;
  };

  const sunoCall = (call: TaskCall, submit: string | undefined, id: string | undefined) => {
    if (call.method === 'POST' && submit !== undefined) {
      const what = submit.toLowerCase() === 'music' ? 'music' : 'lyrics';
      return caller(call).then((who) => suno.submit(call, who, what));
    }
    if (call.method === 'POST' && id === undefined)
      return caller(call).then((who) => suno.fetchMany(call, who));
    return call.method === 'GET' && id !== undefined
      ? caller(call).then((who) => suno.fetchOne(who, id))
      : undefined;
  };

  return {
    poller,
    serve(call) {
      const asked = call.path.replace(/\/+$/, '');
      const [, mode, speed = '', path = ''] = MIDJOURNEY.exec(asked) ?? [];
      if (path !== '')
        return midjourneyCall(call, mode ?? speed, path)
          ?.catch((thrown: unknown) => refused(deps, call, asAppError(thrown), drawingError))
          .then((answer) => withRate(call, answer));
      const music = SUNO.exec(asked);
      return music === null
        ? undefined
        : sunoCall(call, music[1], music[2])
            ?.catch((thrown: unknown) => refused(deps, call, asAppError(thrown), musicError))
            .then((answer) => withRate(call, answer));
    },
  };
};

/**
 * Clients of Midjourney Proxy send their key in `mj-api-secret`, and nothing or a placeholder in `authorization`. Source:
 * the order in which that family of gateways looks for keys.
 */
const keyedHeaders = ({ headers }: TaskCall): TaskCall['headers'] => {
  const own = headers['mj-api-secret'];
  const usual = headers.authorization?.replace(/^bearer +/i, '').trim() ?? '';
  const isKeyless = usual === '' || usual === 'midjourney-proxy';
  return typeof own === 'string' && isKeyless ? { ...headers, authorization: own } : headers;
};

/** Tells what is left of the limit of calls, if the call was counted. */
const withRate = ({ outlet: { rateHeaders } }: TaskCall, answer: TaskAnswer): TaskAnswer =>
  answer.kind === 'json' && rateHeaders !== undefined
    ? { ...answer, headers: { ...answer.headers, ...rateHeaders } }
    : answer;

const refused = (
  deps: Pick<TaskDeps, 'log' | 'clock'>,
  { requestId, method, path }: TaskCall,
  error: AppError,
  write: (error: AppError) => unknown,
): TaskAnswer => {
  if (error.code === 'internal')
    deps.log.error('a task call failed unexpectedly', { requestId, error: error.cause });
  const isUnsure = mayBeDone(error) || error.code === 'internal';
  const mayHaveDone = method === 'POST' && MAKES.test(path) && isUnsure;
  return {
    kind: 'json',
    status: error.upstream?.reportedStatus ?? error.status,
    body: write(error),
    headers: refusalHeaders(error, 'openai-chat', deps.clock.now(), mayHaveDone),
  };
};

/** Midjourney Proxy's code for a bad request. */
const REQUEST_ERROR = 4;

const drawingError = (error: AppError): unknown => ({
  code: REQUEST_ERROR,
  description: error.message,
  type: error.code === 'upstream_failed' ? 'upstream_error' : error.code,
  result: '',
});

const musicError = (error: AppError): unknown => ({
  code: error.reason ?? error.code,
  message: error.message,
  data: null,
});
