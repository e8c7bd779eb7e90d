import { textDigest } from '../request/text-digest.ts';
import { mayBeDone } from '#core/channel/health/retry.ts';
import { asAppError, type AppError } from '#core/error.ts';
import { createWordCheck } from '#core/words/check-words.ts';
import { refusalHeaders } from '../caller/reply-headers.ts';
import type { Caller } from '../request/request.ts';
import type { RelayDeps } from '../ports.ts';
import { RefusalLog } from '../bill/refusal-log.ts';
import { createMidjourney } from './midjourney-calls.ts';
import type { MidjourneyCall } from './midjourney-requests.ts';
import { createSuno } from './suno-calls.ts';
import { createTaskPoller } from './task-poller.ts';
import type { TaskPoller, TaskAnswer, TaskCall, TaskDeps } from './task-ports.ts';
import { withoutEnd } from '#contract/without-end.ts';

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
/** The parts of a task that can be read below its path. */
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
  const answered = (call: TaskCall, work: Promise<TaskAnswer>, writeError: WriteError): Promise<TaskAnswer> =>
    work
      .catch((thrown: unknown) => refused(deps, call, asAppError(thrown), writeError))
      .then((answer) => withRate(call, answer));
  const keyed = async (call: TaskCall, work: Work): Promise<TaskAnswer> =>
    work(await deps.authenticate({ ...call, headers: keyedHeaders(call) }));

  return {
    poller,
    serve(call) {
      const asked = withoutEnd(call.path, '/');
      const [, mode, speed = '', path = ''] = MIDJOURNEY.exec(asked) ?? [];
      const imageId = call.method === 'GET' ? IMAGE.exec(path)?.[1] : undefined;
      if (imageId !== undefined) return answered(call, midjourney.image(imageId), drawingError);
      const drawing = path === '' ? undefined : drawingWork(midjourney, call, mode ?? speed, path);
      if (drawing !== undefined) return answered(call, keyed(call, drawing), drawingError);
      const music = musicWork(suno, call, asked);
      return music && answered(call, keyed(call, music), musicError);
    },
  };
};

/** The work of a call, once its caller is known. */
type Work = (who: Caller) => Promise<TaskAnswer>;
type WriteError = (error: AppError) => unknown;

const drawingWork = (
  midjourney: ReturnType<typeof createMidjourney>,
  call: TaskCall,
  mode: string,
  path: string,
): Work | undefined => {
  if (call.method === 'POST') {
    const submit = SUBMIT.exec(path)?.[1] ?? (path === 'insight-face/swap' ? 'swap' : undefined);
    if (submit !== undefined) return (who) => midjourney.submit(call, who, submit as MidjourneyCall, mode);
    if (path === 'task/list-by-condition') return (who) => midjourney.list(call, who);
    return path === 'notify' ? (who) => midjourney.notify(call, who) : undefined;
  }
  if (call.method !== 'GET') return undefined;
  const [, taskId = '', what] = TASK.exec(path) ?? [];
  if (what === 'fetch') return (who) => midjourney.fetch(call, who, taskId);
  return what === 'image-seed' ? (who) => midjourney.seed(who, taskId) : undefined;
};

const musicWork = (suno: ReturnType<typeof createSuno>, call: TaskCall, path: string): Work | undefined => {
  const music = SUNO.exec(path);
  if (music === null) return undefined;
  const [, submit, id] = music;
  if (call.method === 'GET') return id === undefined ? undefined : (who) => suno.fetchOne(who, id);
  if (call.method !== 'POST') return undefined;
  if (submit !== undefined) {
    const what = submit.toLowerCase() === 'music' ? 'music' : 'lyrics';
    return (who) => suno.submit(call, who, what);
  }
  return id === undefined ? (who) => suno.fetchMany(call, who) : undefined;
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
  write: WriteError,
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
