import { admins, type Case, get, signedIn } from './matrix-case.ts';

/** The expected result for calls on drawings and music. */
export const taskCases: Readonly<Record<string, Case>> = {
  'GET /api/mj': { answers: admins, request: get('/api/mj?p=0&channel_id=&mj_id=') },
  'GET /api/mj/self': { answers: signedIn, request: get('/api/mj/self?p=0') },
  'GET /api/task': { answers: admins, request: get('/api/task?p=0&channel_id=&task_id=') },
  'GET /api/task/self': { answers: signedIn, request: get('/api/task/self?p=0') },
};
