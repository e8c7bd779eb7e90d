import { fieldsOf, isFields, listOf, textOf, type Fields } from '../openai/fields.ts';

/** Calls as they were before there were tools: `functions`, `function_call`, and results of the role `function`. */
const isOld = (message: unknown): boolean =>
  isFields(message) && (message['role'] === 'function' || isFields(message['function_call']));

/** Whether a caller speaks of functions, and so wants its calls told in that form. */
export const speaksOfFunctions = (body: Fields | undefined): boolean =>
  listOf(body?.['functions']).length > 0;

/** A request in today's words. Its `functions` stay beside its tools, to tell that it has to be answered in the old ones. */
export const withTools = (body: Fields): Fields => {
  const { messages, function_call: choice, functions } = body;
  const isAny = speaksOfFunctions(body) || (Array.isArray(messages) && messages.some(isOld));
  if (!isAny) return body;
  const declared = listOf(functions).filter(isFields);
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

/** The old form names no calls: each result belongs to the oldest open call of its function. */
const withCalls = (messages: readonly unknown[]): unknown[] => {
  const open: { readonly id: string; readonly name: string }[] = [];
  let count = 0;
  return messages.map((message) => {
    if (!isFields(message) || !isOld(message)) return message;
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

/** A written request in the old words, where it has `functions`. */
export const withFunctions = (body: Fields): Fields => {
  if (!speaksOfFunctions(body)) return body;
  const { tools: _, tool_choice: __, parallel_tool_calls: ___, messages, ...rest } = body;
  return { ...rest, messages: listOf(messages).map((message) => withFunctionCall(fieldsOf(message))) };
};

const withFunctionCall = (message: Fields): Fields => {
  const { tool_calls: calls, tool_call_id: _, ...rest } = message;
  if (message['role'] === 'tool') return { ...rest, role: 'function' };
  const [call] = listOf(calls);
  return call === undefined ? message : { ...rest, function_call: fieldsOf(call)['function'] };
};
