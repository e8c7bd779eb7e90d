import { parsedObject } from '#contract/json-text.ts';

/** In the form the proxy is a field; stored, it is `proxy` in the JSON of the settings. */

const ADDRESS =
  /^(?:https?|socks5h?):\/\/(?:[^\s/?#@]+@)?(?:\[[\da-f:.]+\]|[^\s/?#@:[\]]+)(?::\d{1,5})?\/?$/i;

/** Splits stored settings into the form's two fields: proxy and the rest. */
export const withoutProxy = (saved: string): { readonly setting: string; readonly proxy: string } => {
  const { proxy, ...rest } = parsedObject(saved) ?? {};
  if (typeof proxy !== 'string') return { setting: saved, proxy: '' };
  return { setting: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2), proxy };
};

/** Joins the form's two fields into the stored settings. */
export const withProxy = (setting: string, proxy: string): string => {
  const text = setting.trim();
  if (proxy.trim() === '') return text;
  return JSON.stringify({ ...parsedObject(text), proxy: proxy.trim() });
};

export const isProxy = (text: string): boolean => text.trim() === '' || ADDRESS.test(text.trim());
