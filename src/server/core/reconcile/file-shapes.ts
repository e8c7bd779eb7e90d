import { type ColumnRole, columnRoles } from '#contract/channel/reconcile.ts';

/** The columns of each role by their titles; several are added up. */
export type FileColumns = Readonly<Partial<Record<ColumnRole, readonly string[]>>>;

/** A file that is known by its titles. */
export interface FileShape {
  readonly name: string;
  /** Titles that together only this file has. */
  readonly knownBy: readonly string[];
  readonly columns: FileColumns;
}

/** Exports by the titles of their columns, in lower case. A further one is a row here. */
export const fileShapes: readonly FileShape[] = [
  {
    name: 'OpenRouter activity',
    knownBy: ['generation_id', 'model_permaslug', 'tokens_prompt'],
    columns: {
      id: ['generation_id'],
      time: ['created_at'],
      model: ['model_permaslug'],
      key: ['api_key_name'],
      input: ['tokens_prompt'],
      output: ['tokens_completion'],
      cached: ['tokens_cached'],
      cost: ['cost_total'],
    },
  },
  {
    name: 'OpenRouter activity by day',
    knownBy: ['model_permaslug', 'requests', 'prompt_tokens'],
    columns: {
      time: ['date'],
      model: ['model_permaslug'],
      input: ['prompt_tokens'],
      output: ['completion_tokens'],
      cost: ['usage'],
      calls: ['requests'],
    },
  },
  {
    name: 'Anthropic usage',
    knownBy: ['usage_date_utc', 'usage_input_tokens_no_cache', 'usage_output_tokens'],
    columns: {
      time: ['usage_date_utc'],
      model: ['model_version'],
      key: ['api_key'],
      input: [
        'usage_input_tokens_no_cache',
        'usage_input_tokens_cache_write_5m',
        'usage_input_tokens_cache_write_1h',
        'usage_input_tokens_cache_read',
      ],
      output: ['usage_output_tokens'],
      cached: ['usage_input_tokens_cache_read'],
    },
  },
  {
    name: 'Anthropic cost',
    knownBy: ['usage_date_utc', 'token_type', 'cost_usd'],
    columns: { time: ['usage_date_utc'], model: ['model'], key: ['api_key'], cost: ['cost_usd'] },
  },
  {
    name: 'OpenAI cost',
    knownBy: ['start_time', 'amount_value', 'amount_currency'],
    columns: { time: ['start_time'], model: ['line_item'], key: ['api_key_id'], cost: ['amount_value'] },
  },
  {
    name: 'OpenAI usage',
    knownBy: ['start_time', 'input_tokens', 'num_model_requests'],
    columns: {
      time: ['start_time'],
      model: ['model'],
      key: ['api_key_id'],
      input: ['input_tokens'],
      output: ['output_tokens'],
      cached: ['input_cached_tokens'],
      calls: ['num_model_requests'],
    },
  },
  {
    name: 'DeepSeek amounts',
    knownBy: ['utc_date', 'type', 'amount'],
    columns: {
      time: ['utc_date'],
      model: ['model'],
      key: ['api_key_name'],
      kind: ['type'],
      amount: ['amount'],
    },
  },
  {
    name: 'DeepSeek cost',
    knownBy: ['utc_date', 'wallet_type', 'cost'],
    columns: { time: ['utc_date'], model: ['model'], cost: ['cost'] },
  },
  {
    name: 'Google billing',
    knownBy: ['sku description', 'usage start date', 'cost ($)'],
    columns: { time: ['usage start date'], model: ['sku description'], cost: ['cost ($)'] },
  },
  {
    name: 'Tollgate logs',
    knownBy: ['request_id', 'prompt_tokens', 'charged_usd'],
    columns: {
      id: ['request_id'],
      time: ['time'],
      model: ['model'],
      key: ['token'],
      input: ['prompt_tokens'],
      output: ['completion_tokens'],
      cost: ['charged_usd'],
    },
  },
];

const titles = (text: string): readonly string[] => text.split('|');

/** Usual titles of each role, for files that are not known; the first that a file has is taken. */
const usualTitles: Readonly<Record<ColumnRole, readonly string[]>> = {
  id: titles('response_id|request_id|generation_id|id|请求id|请求 id'),
  time: titles(
    'time|timestamp|created_at|datetime|date|created|start_time|day|usage date|时间|日期|创建时间|调用时间|账期日期|消费时间',
  ),
  model: titles('model|model_name|model name|model_id|line_item|sku|模型|模型名称'),
  key: titles('api_key_name|api_key|key|token_name|api key|令牌|密钥'),
  input: titles(
    'prompt_tokens|input_tokens|tokens_prompt|input tokens|prompt tokens|input|prompt|输入 tokens|输入tokens|输入|提示|输入token数',
  ),
  output: titles(
    'completion_tokens|output_tokens|tokens_completion|output tokens|completion tokens|output|completion|输出 tokens|输出tokens|输出|补全|输出token数',
  ),
  cached: titles('cached_tokens|input_cached_tokens|cache_read_tokens|cached tokens|缓存|缓存命中'),
  cost: titles(
    'cost|cost_usd|amount|price|fee|charge|total_cost|cost (usd)|charged_usd|费用|金额|消费|花费|应付金额|实付金额',
  ),
  calls: titles('num_model_requests|requests|request_count|calls|count|调用次数|请求次数|次数'),
  kind: [],
  amount: [],
};

/** The name of a known file and its columns, or what usual titles suggest. */
export const guessColumns = (
  header: readonly string[],
): { readonly shape: string | undefined; readonly columns: FileColumns } => {
  const byTitle = new Map(header.toReversed().map((title) => [title.toLowerCase(), title]));
  const shape = fileShapes.find(({ knownBy }) => knownBy.every((title) => byTitle.has(title)));
  const known = shape?.columns ?? usualTitles;
  const columns: Partial<Record<ColumnRole, readonly string[]>> = {};
  for (const role of columnRoles) {
    const found = (known[role] ?? []).flatMap((title) => byTitle.get(title) ?? []);
    const taken = shape === undefined ? found.slice(0, 1) : found;
    if (taken.length > 0) columns[role] = taken;
  }
  return { shape: shape?.name, columns };
};
