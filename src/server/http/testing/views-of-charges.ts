import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedUsage } from '#contract/api/people/usage-links.ts';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { verifyStatement } from '../../verify-statement.ts';
import type { Caller } from './caller.ts';

/** Everywhere that shows what calls were charged, each read in its own words. */

/** By name: units and how many calls. */
export type Sums = Readonly<Record<string, readonly [units: number, calls: number]>>;

const sumsOf = <Row>(
  rows: readonly Row[],
  name: (row: Row) => unknown,
  of: (row: Row) => readonly [units: number, calls: number],
): Sums => {
  const sums: Record<string, [number, number]> = {};
  for (const row of rows) {
    const sum = (sums[String(name(row))] ??= [0, 0]);
    const [units, calls] = of(row);
    sum[0] += units;
    sum[1] += calls;
  }
  return sums;
};

/** The same view of everything, by model and by token. A view that has no tokens (or models) leaves them out. */
export interface View {
  readonly models?: Sums;
  readonly tokens?: Sums;
  readonly units?: number;
  readonly calls?: number;
  /** Tokens of prompts and answers. */
  readonly used?: number;
}
export type Views = Readonly<Record<string, View>>;

export interface ChargedRow {
  readonly token_id: number;
  readonly model_name: string;
  readonly quota: number;
  readonly request_id: string;
  readonly other: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}
interface Line {
  readonly id: number;
  readonly name: string;
  readonly model_name: string;
  readonly quota: number;
  readonly count: number;
  readonly token_used: number;
}
interface Used {
  readonly units: number;
  readonly calls: number;
}

const line = ({ quota, count }: Line) => [quota, count] as const;
const used = ({ units, calls }: Used) => [units, calls] as const;
const total = (lines: readonly Line[]): View => ({
  units: lines.reduce((sum, { quota }) => sum + quota, 0),
  calls: lines.reduce((sum, { count }) => sum + count, 0),
});

/** All rows of charges, page by page. */
export const chargedRows = async (call: Caller, path: string): Promise<ChargedRow[]> => {
  const rows: ChargedRow[] = [];
  for (let page = 1; ; page += 1) {
    const got = (await call(`${path}&type=2&p=${page}&page_size=100`)).data as {
      items: ChargedRow[];
      total: number;
    };
    rows.push(...got.items);
    if (got.items.length === 0 || rows.length >= got.total) return rows;
  }
};

export const viewOfRows = (rows: readonly ChargedRow[]): Required<View> => ({
  models: sumsOf(
    rows,
    (row) => row.model_name,
    ({ quota }) => [quota, 1],
  ),
  tokens: sumsOf(
    rows,
    (row) => row.token_id,
    ({ quota }) => [quota, 1],
  ),
  units: rows.reduce((sum, { quota }) => sum + quota, 0),
  calls: rows.length,
  used: rows.reduce((sum, row) => sum + row.prompt_tokens + row.completion_tokens, 0),
});

const cellsOf = (text: string): string[][] =>
  text
    .replace('﻿', '')
    .trim()
    .split(/\r?\n/)
    .map((one) => one.split(','));

const viewOfLogFile = (text: string): View => {
  const [head = [], ...lines] = cellsOf(text);
  const cell = (cells: readonly string[], name: string) => cells[head.indexOf(name)];
  const models = sumsOf(
    lines,
    (cells) => cell(cells, 'model'),
    (cells) => [Number(cell(cells, 'quota')), 1],
  );
  return { models, calls: lines.length };
};

export const viewOfStatement = (of: Statement): View => ({
  models: sumsOf(of.models, ({ model }) => model, used),
  tokens: sumsOf(of.tokens, (token) => token.token_id, used),
  units: of.charged_units,
  used: of.models.reduce((sum, model) => sum + model.prompt_tokens + model.completion_tokens, 0),
});

const viewOfStatementFile = (text: string): View => {
  const charges = cellsOf(text).filter(([part]) => part === 'charge');
  const models = sumsOf(
    charges,
    ([, name]) => name,
    (cells) => [Number(cells[5]), Number(cells[2])],
  );
  return { models };
};

/** The lines of the PDF's first table: a name and four numbers. */
const viewOfPaper = (text: string): View => {
  const shown = [...text.matchAll(/\(((?:\\.|[^\\)])*)\) Tj/g)].map(([, words = '']) => words);
  const from = shown.indexOf('Model');
  const tables = shown.slice(from + 5);
  const lines: string[][] = [];
  for (let at = 0; /^[\d,]+$/.test(tables[at + 1] ?? ''); at += 5) lines.push(tables.slice(at, at + 5));
  const number = (words = '') => Number(words.replaceAll(',', ''));
  return {
    models: sumsOf(
      lines,
      ([name]) => name,
      (cells) => [number(cells[4]), number(cells[1])],
    ),
  };
};

/** What the dashboard and the logs show, for somebody's own calls (`self`) or for those of one user. */
const currentViews = async (call: Caller, { logs, data, of, span }: CurrentPaths): Promise<Views> => {
  const hours = (await call(`/api/data${data}?${span}${of}`)).data as Line[];
  const by = async (dimension: string) =>
    (await call(`/api/data${data}/by?by=${dimension}&${span}${of}`)).data as Line[];
  const tokens = await by('token');
  const stat = (await call(`/api/log${logs}/stat?type=2${of}`)).data as { quota: number };
  return {
    'log file': viewOfLogFile((await call(`/api/log${logs}/export?type=2${of}`)).text),
    'sum over the logs': { units: stat.quota },
    'dashboard: hours': {
      ...total(hours),
      models: sumsOf(hours, (hour) => hour.model_name, line),
      used: hours.reduce((sum, hour) => sum + hour.token_used, 0),
    },
    'dashboard: tokens': { ...total(tokens), tokens: sumsOf(tokens, ({ id }) => id, line) },
    'dashboard: programs': total(await by('program')),
  };
};
interface CurrentPaths {
  readonly logs: string;
  readonly data: string;
  readonly of: string;
  readonly span: string;
}

const monthViews = async (call: Caller, path: string, month: string): Promise<Views> => {
  const { statement } = (await call(`${path}/${month}`)).data as { statement: Statement };
  const sums = async (by: string) =>
    (await call(`${path}/sums?month=${month}&by=${by}`)).data as {
      lines: (Used & { token_id: number })[];
      total_units: number;
      total_calls: number;
    };
  const tokens = await sums('token');
  const tags = await sums('tag');
  return {
    statement: viewOfStatement(statement),
    'statement as a file': viewOfStatementFile((await call(`${path}/${month}/csv`)).text),
    'statement on paper': viewOfPaper((await call(`${path}/${month}/pdf`)).text),
    'month by token': {
      tokens: sumsOf(tokens.lines, (of) => of.token_id, used),
      units: tokens.total_units,
      calls: tokens.total_calls,
    },
    'month by tag': { units: tags.total_units, calls: tags.total_calls },
  };
};

const aroundNow = (): string => {
  const nowS = Math.floor(Date.now() / 1000);
  return `start_timestamp=${nowS - 7200}&end_timestamp=${nowS + 3600}`;
};

/** What a user sees of their own calls. The month has to be issued. */
export const ownViews = async (self: Caller, month: string): Promise<Views> => {
  const span = aroundNow();
  const top = (await self(`/api/data/self/tokens?${span}`)).data as Line[];
  return {
    ...(await currentViews(self, { logs: '/self', data: '/self', of: '', span })),
    'dashboard: own tokens': { ...total(top), tokens: sumsOf(top, ({ id }) => id, line) },
    ...(await monthViews(self, '/api/statement/self', month)),
  };
};

/** What an admin sees of one user's calls, by the name the account has now. */
export const adminViews = async (
  root: Caller,
  { id, username }: { readonly id: number; readonly username: string },
  month: string,
): Promise<Views> => {
  const span = aroundNow();
  const of = `&username=${encodeURIComponent(username)}`;
  const margin = async (by: string) => (await root(`/api/data/margin?by=${by}&${span}${of}`)).data as Line[];
  const models = await margin('model');
  const tokens = await margin('token');
  const users = (await root(`/api/data/users?${span}`)).data as Line[];
  const months = (await root(`/api/statement/sums?month=${month}&by=user`)).data as {
    lines: (Used & { user_id: number })[];
  };
  const ofUser = months.lines.find((user) => user.user_id === id);
  return {
    ...(await currentViews(root, { logs: '', data: '', of, span })),
    'dashboard: this user of all': total(users.filter((user) => user.id === id)),
    'margin by model': { ...total(models), models: sumsOf(models, ({ name }) => name, line) },
    'margin by token': { ...total(tokens), tokens: sumsOf(tokens, (token) => token.id, line) },
    'margin by channel': total(await margin('channel')),
    'margin by group': total(await margin('group')),
    'margin by day': total(await margin('day')),
    'month by user': { units: ofUser?.units ?? 0, calls: ofUser?.calls ?? 0 },
    ...(await monthViews(root, `/api/statement/user/${id}`, month)),
  };
};

/** What a link to a token's usage tells to anybody. */
export const linkView = async (self: Caller, tokenId: number | undefined): Promise<View> => {
  const made = await self('/api/usage_link', { method: 'POST', body: { token_id: tokenId } });
  const { link } = made.data as { link: string };
  const opened = await self('/api/usage_link/open', { method: 'POST', body: { link } });
  const shared = opened.data as SharedUsage;
  return { units: shared.used_units, models: sumsOf(shared.models, (of) => of.model, used) };
};

/** Seals what is written, and checks a statement's proofs as its owner would. */
export const provenView = async (
  root: Caller,
  self: Caller,
  { month, folder, url }: { readonly month: string; readonly folder: string; readonly url: string },
) => {
  await root('/api/seal', { method: 'POST' });
  const file = join(folder, 'proofs.jsonl');
  writeFileSync(file, (await self(`/api/statement/self/${month}/proofs`)).text);
  return verifyStatement({ file, roots: url });
};
