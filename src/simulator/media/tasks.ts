import type { IncomingMessage, ServerResponse } from 'node:http';
import { picture } from './picture.ts';
import { asJson, asList, type Json, sendJson } from '../wire.ts';

/*
 * Midjourney Proxy and Suno. What a task does is in its prompt: `fail` fails, `stuck` never ends, `queued` waits in line,
 * `banned` and `nobody` are refused, `broken` is a status 500, `hang` is never answered, `flip` fails and then succeeds.
 * Taken, but not answered as they should be: `drop` breaks the connection, `cut` breaks it in the middle of the answer,
 * `garbled` is no JSON, `gateway` is the 504 of a proxy.
 */

interface SimulatedTask {
  readonly id: string;
  readonly action: string;
  readonly prompt: string;
  readonly submittedAtMs: number;
  /** How often it was polled; each poll advances it. */
  asked: number;
}

/** Polls until it is done. */
const ASKS_TO_END = 2;

const says = (prompt: string, word: string): boolean => prompt.split(/\s+/).includes(word);

const statusOf = ({ prompt, asked, action }: SimulatedTask): string => {
  if (says(prompt, 'stuck')) return 'IN_PROGRESS';
  if (action === 'INPAINT' || action === 'CUSTOM_ZOOM') return 'MODAL';
  if (says(prompt, 'flip')) return asked <= 1 ? 'FAILURE' : 'SUCCESS';
  if (asked < ASKS_TO_END) return 'IN_PROGRESS';
  return says(prompt, 'fail') ? 'FAILURE' : 'SUCCESS';
};

const buttons = (id: string): unknown[] =>
  ['U1', 'U2', 'U3', 'U4', 'V1', 'V2', 'V3', 'V4'].map((label) => {
    const job = label.startsWith('U') ? 'upsample' : 'variation';
    return { customId: `MJ::JOB::${job}::${label.slice(1)}::${id}`, emoji: '', label, type: 2, style: 2 };
  });

interface State {
  readonly tasks: Map<string, SimulatedTask>;
  last: number;
}

const begin = (state: State, action: string, prompt: string, prefix: string): SimulatedTask => {
  state.last += 1;
  const id = `${prefix}${String(state.last).padStart(6, '0')}`;
  const task = { id, action, prompt, submittedAtMs: Date.now(), asked: 0 };
  state.tasks.set(id, task);
  return task;
};

/** Plays the fault that the prompt asks for. @returns whether it did */
const inTrouble = (response: ServerResponse, prompt: string): boolean => {
  if (says(prompt, 'hang')) return true;
  if (says(prompt, 'broken')) sendJson(response, 500, { error: 'the fake upstream is broken' });
  else if (says(prompt, 'banned'))
    sendJson(response, 200, {
      code: 24,
      description: 'banned prompt',
      properties: { bannedWord: 'banned' },
    });
  else if (says(prompt, 'nobody'))
    sendJson(response, 200, { code: 3, description: 'no available account', properties: {} });
  else if (says(prompt, 'drop')) response.destroy();
  else if (says(prompt, 'cut'))
    response.writeHead(200, { 'content-length': '500' }).write('{"code":', () => response.destroy());
  else if (says(prompt, 'garbled'))
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>done</p>');
  else if (says(prompt, 'gateway')) sendJson(response, 504, { error: 'the proxy gave up' });
  else return false;
  return true;
};

const drawing = (task: SimulatedTask, host: string): Json => {
  const status = statusOf(task);
  const isDone = status === 'SUCCESS';
  return {
    id: task.id,
    action: task.action,
    prompt: task.prompt,
    promptEn: `${task.prompt} --v 6`,
    description: `/imagine ${task.prompt}`,
    submitTime: task.submittedAtMs,
    startTime: task.submittedAtMs + 800,
    finishTime: isDone || status === 'FAILURE' ? Date.now() : 0,
    status,
    progress: isDone ? '100%' : '45%',
    imageUrl: isDone ? `http://${host}/pictures/${task.id}.png` : '',
    failReason: status === 'FAILURE' ? 'the fake upstream was told to fail' : '',
    buttons: isDone ? buttons(task.id) : [],
    properties: { finalPrompt: task.prompt },
  };
};

const ask = (state: State, ids: unknown): SimulatedTask[] =>
  asList(ids).flatMap((id) => {
    const task = state.tasks.get(String(id));
    if (task === undefined) return [];
    task.asked += 1;
    return [task];
  });

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const submitDrawing = (state: State, response: ServerResponse, call: string, body: Json): void => {
  const prompt = textOf(body['prompt']);
  if (inTrouble(response, prompt)) return;
  if (call === 'upload-discord-images') {
    sendJson(response, 200, { code: 1, description: 'success', result: ['https://cdn.example/1.png'] });
    return;
  }
  const customId = textOf(body['customId']);
  const waits = /^MJ::(?:Inpaint|CustomZoom)/.test(customId);
  const action = customId.startsWith('MJ::Inpaint') ? 'INPAINT' : waits ? 'CUSTOM_ZOOM' : call.toUpperCase();
  const task = begin(state, action, prompt, '17');
  const code = waits ? 21 : says(prompt, 'queued') ? 22 : 1;
  const description =
    code === 1 ? 'success' : code === 22 ? 'in queue, 2 ahead' : 'Waiting for window confirm';
  sendJson(response, 200, { code, description, result: task.id, properties: {} });
};

const music = (task: SimulatedTask): Json => {
  const status = statusOf(task);
  return {
    task_id: task.id,
    action: task.action,
    status,
    fail_reason: status === 'FAILURE' ? 'the fake upstream was told to fail' : '',
    submit_time: Math.floor(task.submittedAtMs / 1000),
    start_time: Math.floor(task.submittedAtMs / 1000) + 1,
    finish_time: status === 'SUCCESS' ? Math.floor(Date.now() / 1000) : 0,
    progress: status === 'SUCCESS' ? '100%' : '',
    data: status === 'SUCCESS' ? [{ id: `${task.id}-clip`, title: task.prompt, duration: 120 }] : null,
  };
};

const answerMidjourney = (
  state: State,
  response: ServerResponse,
  path: string,
  host: string,
  body: Json,
): void => {
  const submit = /^\/mj\/(?:submit|insight-face)\/([\w-]+)$/.exec(path)?.[1];
  if (submit !== undefined) submitDrawing(state, response, submit, body);
  else if (path === '/mj/task/list-by-condition')
    sendJson(
      response,
      200,
      ask(state, body['ids']).map((task) => drawing(task, host)),
    );
  else if (path.endsWith('/image-seed'))
    sendJson(response, 200, { code: 1, description: 'success', result: '1259687673' });
  else sendJson(response, 404, { code: 4, description: 'no such path' });
};

const answerSuno = (state: State, response: ServerResponse, path: string, body: Json): void => {
  const submit = /^\/suno\/submit\/(\w+)$/.exec(path)?.[1];
  const prompt = textOf(body['gpt_description_prompt'] ?? body['prompt']);
  if (submit === undefined) {
    sendJson(response, 200, { code: 'success', message: '', data: ask(state, body['ids']).map(music) });
  } else if (says(prompt, 'banned')) {
    sendJson(response, 200, { code: 'invalid_request', message: 'the prompt is not allowed', data: null });
  } else if (!inTrouble(response, prompt)) {
    const task = begin(state, submit, prompt, 'suno-');
    sendJson(response, 200, { code: 'success', message: '', data: task.id });
  }
};

/** The tasks of one fake upstream. The function it returns answers a call; false for other paths. */
export const createTasks = () => {
  const state: State = { tasks: new Map(), last: 0 };
  return (request: IncomingMessage, response: ServerResponse, path: string, body: Json): boolean => {
    if (path.startsWith('/pictures/')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture(path));
      return true;
    }
    if (path.startsWith('/mj/'))
      answerMidjourney(state, response, path, request.headers.host ?? '', asJson(body));
    else if (path.startsWith('/suno/')) answerSuno(state, response, path, asJson(body));
    else return false;
    return true;
  };
};
