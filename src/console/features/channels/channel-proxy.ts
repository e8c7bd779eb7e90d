/** The proxy of a channel is one field of the form, and `proxy` in the JSON of its settings. */

const ADDRESS =
  /^(?:https?|socks5h?):\/\/(?:[^\s/?#@]+@)?(?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?\/?$/i;

const fieldsOf = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
};

/** Settings as they are saved, as the form shows them: the proxy apart from the rest. */
export const withoutProxy = (saved: string): { readonly setting: string; readonly proxy: string } => {
  const { proxy, ...rest } = fieldsOf(saved) ?? {};
  if (typeof proxy !== 'string') return { setting: saved, proxy: '' };
  return { setting: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2), proxy };
};

/** The form's two fields as they are saved. */
export const withProxy = (setting: string, proxy: string): string => {
  const text = setting.trim();
  if (proxy.trim() === '') return text;
  return JSON.stringify({ ...fieldsOf(text), proxy: proxy.trim() });
};

export const isProxy = (text: string): boolean => text.trim() === '' || ADDRESS.test(text.trim());
