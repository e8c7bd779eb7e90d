import { PASSWORD_MIN_LENGTH } from '#contract/limits.ts';

/** The input for a new account, on the register and setup pages. */
export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly confirmed: string;
}

export type AccountProblem = 'required' | 'spaces' | 'short' | 'different';

/** The field that such an error is about, by its name in the API. */
export const fieldOf = (problem: AccountProblem, { username }: NewAccount): string => {
  if (problem === 'different') return 'password2';
  return problem === 'spaces' || (problem === 'required' && username.trim() === '') ? 'username' : 'password';
};

/** The first error of a new account, in the order of its fields. Source: specification, validation rules. */
export const accountProblem = ({ username, password, confirmed }: NewAccount): AccountProblem | undefined => {
  if (username.trim() === '' || password === '') return 'required';
  if (/\s/.test(username)) return 'spaces';
  if (password.length < PASSWORD_MIN_LENGTH) return 'short';
  return password === confirmed ? undefined : 'different';
};
