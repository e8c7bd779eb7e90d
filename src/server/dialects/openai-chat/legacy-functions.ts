import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { listedFields } from '../listed-parts.ts';

/** The legacy format before `tools`: `functions`, `function_call`, and results with the role `function`. */
const isLegacy = (message: unknown): boolean =>
  isFields(message) && (message['role'] === 'function' || isFields(message['function_call']));

/** Whether a caller uses `functions` and so expects legacy calls. */
export const usesFunctions = (body: Fields | undefined): boolean => listOf(body?.['functions']).length > 0;

/** Converts a request to `tools`. Its `functions` are kept: they show that the response must use the legacy format. */
export const withTools = (body: Fields): Fields => {
  const { messages, function_call: choice, functions } = body;
  const isAny = usesFunctions(body) || (Array.isArray(messages) && messages.some(isLegacy));
  if (!isAny) return body;
  const declared = listedFields(functions, 'functions');
  return {
    ...body,
    ...(Array.isArray(messages) && { messages: withCalls(messages) }),
    ...(declared.length > 0 && {
      tools: [...listOf(body['tools']), ...declared.map((inner) => ({ type: 'function', function: inner }))],
      parallel_tool_calls: false,
      tool_choice: isFields(choice)
        ? { type: 'function', function: choice }
        : (choice ?? body['tool_choice']),
    }),
  };
};

/** Legacy calls have no ids: a result belongs to the oldest open call of its function. */
const withCalls = (messages: readonly unknown[]): unknown[] => {
  const open: { readonly id: string; readonly name: string }[] = [];
  let count = 0;
  return messages.map((message) => {
    if (!isFields(message) || !isLegacy(message)) return message;
    const { function_call: call, ...rest } = message;
    if (message['role'] === 'function') {
      const name = textOf(message['name']) ?? '';
      const at = open.findIndex((known) => known.name === name);
      const [answered] = at === -1 ? [] : open.splice(at, 1);
      return { ...rest, role: 'tool', tool_call_id: answered?.id ?? name };
    }
    const name = textOf(fieldsOf(call)['name']) ?? '';
    count += 1;
    const id = `call_${count}_${name}`;
    open.push({ id, name });
    return { ...rest, tool_calls: [{ id, type: 'function', function: call }] };
  });
};

/** Converts a written request back to the legacy format, if it has `functions`. */
export const withFunctions = (body: Fields): Fields => {
  if (!usesFunctions(body)) return body;
  const { tools: _, tool_choice: __, parallel_tool_calls: ___, messages, ...rest } = body;
  return { ...rest, messages: listOf(messages).map((message) => withFunctionCall(fieldsOf(message))) };
};

const withFunctionCall = (message: Fields): Fields => {
  const { tool_calls: calls, tool_call_id: _, ...rest } = message;
  if (message['role'] === 'tool') return { ...rest, role: 'function' };
  const [call] = listOf(calls);
  return call === undefined ? message : { ...rest, function_call: fieldsOf(call)['function'] };
};
