import { isFields, listOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';

/**
 * Coding clients offer functions and custom tools in namespaces (`type: "namespace"`). Other formats have only plain names,
 * so namespace and name are joined with this separator, which no name of a function contains.
 */
const SEPARATOR = '-_-';

/** The name of a called function, joined with its namespace. */
export const joinedName = (item: Fields): string => {
  const name = textOf(item['name']) ?? '';
  const namespace = textOf(item['namespace']);
  return namespace === undefined ? name : namespace + SEPARATOR + name;
};

/** The inverse: `name`, and `namespace` if there is one. */
export const splitName = (joined: string): { readonly name: string; readonly namespace?: string } => {
  const at = joined.indexOf(SEPARATOR);
  if (at === -1) return { name: joined };
  return { name: joined.slice(at + SEPARATOR.length), namespace: joined.slice(0, at) };
};

/** Moves the functions out of their namespaces; functions and calls get joined names. */
export const withoutNamespaces = (body: Fields): Fields => {
  const { tools, input } = body;
  const isUsed = listOf(tools).some((tool) => isFields(tool) && tool['type'] === 'namespace');
  if (!isUsed) return body;
  return {
    ...body,
    tools: listOf(tools).flatMap((tool) => (isFields(tool) ? openNamespace(tool) : [tool])),
    ...(Array.isArray(input) && {
      input: input.map((item: unknown) => (isFields(item) ? joinCall(item) : item)),
    }),
  };
};

const openNamespace = (tool: Fields): Fields[] => {
  const functions = listOf(tool['tools']).filter(isFields);
  const isPlain =
    tool['type'] === 'namespace' && functions.every(({ type }) => type === 'function' || type === 'custom');
  if (!isPlain) return [tool];
  const namespace = tool['name'];
  const about = tool['description'] === undefined ? {} : { namespace_description: tool['description'] };
  return functions.map((inner) => ({ ...inner, name: joinedName({ ...inner, namespace }), ...about }));
};

const joinCall = (item: Fields): Fields => {
  if (!isCall(item) || item['namespace'] === undefined) return item;
  const { namespace: _, ...call } = item;
  return { ...call, name: joinedName(item) };
};

/** Restores the namespaces of a request. */
export const withNamespaces = (body: Fields): Fields => {
  const { tools, input } = body;
  const isUsed = listOf(tools).some((tool) => isFields(tool) && wordOf(tool['name']).includes(SEPARATOR));
  if (!isUsed) return body;
  return {
    ...body,
    tools: closeNamespaces(listOf(tools).filter(isFields)),
    ...(Array.isArray(input) && {
      input: input.map((item: unknown) => (isFields(item) ? splitCall(item) : item)),
    }),
  };
};

const closeNamespaces = (tools: readonly Fields[]): Fields[] => {
  const closed: Fields[] = [];
  const inside = new Map<string, Fields[]>();
  for (const tool of tools) {
    const { name, namespace } = splitName(wordOf(tool['name']));
    if (namespace === undefined) {
      closed.push(tool);
      continue;
    }
    const { namespace_description: description, ...inner } = tool;
    let functions = inside.get(namespace);
    if (functions === undefined) {
      inside.set(namespace, (functions = []));
      const about = description === undefined ? {} : { description };
      closed.push({ type: 'namespace', name: namespace, ...about, tools: functions });
    }
    functions.push({ ...inner, name });
  }
  return closed;
};

const splitCall = (item: Fields): Fields =>
  isCall(item) ? { ...item, ...splitName(wordOf(item['name'])) } : item;

const isCall = ({ type }: Fields): boolean => type === 'function_call' || type === 'custom_tool_call';
