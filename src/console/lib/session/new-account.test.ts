import { expect, it } from 'vitest';
import { accountProblem } from './new-account.ts';

it.each([
  [{ username: '', password: 'long enough', confirmed: 'long enough' }, 'required'],
  [{ username: 'ada', password: '', confirmed: '' }, 'required'],
  [{ username: 'a da', password: 'long enough', confirmed: 'long enough' }, 'spaces'],
  [{ username: 'ada', password: '1234567', confirmed: '1234567' }, 'short'],
  [{ username: 'ada', password: '12345678', confirmed: '1234567' }, 'different'],
  [{ username: 'ada', password: '12345678', confirmed: '12345678' }, undefined],
])('names the first problem of %o: %s', (account, problem) => {
  expect(accountProblem(account)).toBe(problem);
});
