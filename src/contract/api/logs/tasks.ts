import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { page, pageQuery, sortQuery } from '../../paging.ts';
import { filterNumber, text } from '../../text.ts';

/** A drawing, in the family's words. Times are milliseconds, 0 for not yet. */
export const drawing = z.object({
  id: z.number(),
  code: z.number(),
  user_id: z.number(),
  username: z.string(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  image_url: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  /** 0 for callers who are not admins. */
  channel_id: z.number(),
  /** Empty if it was deleted, and for callers who are not admins. */
  channel_name: z.string(),
  quota: z.number(),
  buttons: z.string(),
  properties: z.string(),
});

/** Any other task: music. Times are seconds, 0 for not yet. */
export const asyncTask = z.object({
  id: z.number(),
  created_at: z.number(),
  updated_at: z.number(),
  task_id: z.string(),
  platform: z.string(),
  user_id: z.number(),
  username: z.string(),
  channel_id: z.number(),
  channel_name: z.string(),
  quota: z.number(),
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.number(),
  start_time: z.number(),
  finish_time: z.number(),
  progress: z.string(),
  properties: z.object({ input: z.string() }),
  data: z.unknown(),
});

const shared = {
  ...pageQuery,
  ...sortQuery('submitted', 'finished', 'duration'),
  channel_id: filterNumber,
  start_timestamp: filterNumber,
  end_timestamp: filterNumber,
};
const drawingQuery = z.object({ ...shared, mj_id: text(64).default('') });
const taskQuery = z.object({
  ...shared,
  task_id: text(64).default(''),
  platform: text(30).default(''),
  status: text(20).default(''),
  action: text(40).default(''),
});

export const listDrawings = endpoint({
  method: 'GET',
  path: '/api/mj',
  access: 'admin',
  owner: 'any',
  summary: "Everybody's drawings, newest first; `start_timestamp` and `end_timestamp` are milliseconds",
  query: drawingQuery,
  data: page(drawing),
});

export const listOwnDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/self',
  access: 'user',
  owner: 'self',
  summary: "The caller's drawings, newest first",
  query: drawingQuery,
  data: page(drawing),
});

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/task',
  access: 'admin',
  owner: 'any',
  summary: "Everybody's music tasks, newest first; `start_timestamp` and `end_timestamp` are seconds",
  query: taskQuery,
  data: page(asyncTask),
});

export const listOwnTasks = endpoint({
  method: 'GET',
  path: '/api/task/self',
  access: 'user',
  owner: 'self',
  summary: "The caller's music tasks, newest first",
  query: taskQuery,
  data: page(asyncTask),
});
