import type { Plugin } from 'vite';

const attributesOfAll = /[\\/]icons-react[\\/]dist[\\/]esm[\\/]defaultAttributes\.mjs$/;
const maker = /[\\/]icons-react[\\/]dist[\\/]esm[\\/]createReactComponent\.mjs$/;
const icon = /[\\/]icons-react[\\/]dist[\\/]esm[\\/]icons[\\/]Icon\w+\.mjs$/;

/** Only of use to a file of its own. */
const OF_A_FILE = 'xmlns: "http://www.w3.org/2000/svg"';
const OF_EACH_DRAWING = '...iconNode.map(([tag, attrs]) => createElement(tag, attrs))';
const NODES = /const __iconNode = (\[.*\]);/;

type Nodes = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

/** The same strokes as one path; undefined where something else belongs to the icon. */
const onePath = (nodes: Nodes): Nodes | undefined => {
  const lines = nodes.map(([tag, attributes]) =>
    tag === 'path' && Object.keys(attributes).join() === 'd,key' ? attributes['d'] : undefined,
  );
  // Where one begins must not depend on where the one before it ended.
  return lines.some((line) => line?.startsWith('M') !== true)
    ? undefined
    : [['path', { d: lines.join(''), key: '0' }]];
};

/**
 * Icons as a page of a hundred rows needs them: each is two elements, and its drawing is made once. They stand beside words or in
 * buttons with a name: not hidden, each would be read out as an image without one.
 */
export const leanIcons = (): Plugin => ({
  name: 'tollgate:lean-icons',
  transform(code, id) {
    const changed = (from: string, to: string): string => {
      if (!code.includes(from)) this.error(`icons are made otherwise than before: ${from}`);
      return code.replaceAll(from, to);
    };
    if (attributesOfAll.test(id)) return changed(OF_A_FILE, '"aria-hidden": true');
    if (maker.test(id))
      return changed(OF_EACH_DRAWING, '...parts').replace(
        'const Component =',
        'const parts = iconNode.map(([tag, attrs]) => createElement(tag, attrs));\n  const Component =',
      );
    const nodes = icon.test(id) ? NODES.exec(code)?.[1] : undefined;
    const path = nodes === undefined ? undefined : onePath(JSON.parse(nodes) as Nodes);
    return path === undefined ? null : code.replace(NODES, `const __iconNode = ${JSON.stringify(path)};`);
  },
});
