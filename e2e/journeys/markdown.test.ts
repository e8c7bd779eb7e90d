import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sharedBrowser } from '../support/chromium.ts';

/** Answers of models are shown as HTML, and sanitizing is tested with a real browser's parser. */

const entry = resolve(import.meta.dirname, '../../src/console/kit/markdown/render-block.ts');

let page: Page;

const bundled = async (): Promise<string> => {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'markdown' } },
  });
  const output = z
    .array(z.object({ output: z.array(z.object({ code: z.string() })) }))
    .parse([result].flat());
  return output[0]?.output[0]?.code ?? '';
};

beforeAll(async () => {
  const browser = await sharedBrowser();
  page = await browser.newPage();
  await page.addScriptTag({ content: await bundled() });
});

afterAll(() => page.context().close());

const rendered = async (text: string): Promise<string> =>
  z.string().parse(await page.evaluate(`markdown.renderBlock(${JSON.stringify(text)})`));

/** The elements of a piece of HTML, without their content. */
const elementsOf = async (html: string): Promise<string> =>
  z.string().parse(
    await page.evaluate((text) => {
      const template = document.createElement('template');
      template.innerHTML = text;
      const elements = [...template.content.querySelectorAll('*')];
      return elements.map((one) => (one.cloneNode() as Element).outerHTML).join('');
    }, html),
  );

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![x](https://example.com/pixel.gif)',
  '[x](javascript:alert(1))',
  '![x](javascript:alert(1))',
  '[x](JaVaScRiPt&#58;alert(1))',
  '<a href="data:text/html,<script>1</script>">x</a>',
  '<iframe src="//example.com"></iframe>',
  '<form action="//example.com"><input name=password><button>go</button></form>',
  '<svg><animate onbegin=alert(1)></svg>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<div style="position:fixed;inset:0" id="root" name="body">x</div>',
  '<a class="menu" href="https://example.com">x</a>',
  '<table background="https://example.com/pixel.gif"><tr><td background="//example.com/b">x</td></tr></table>',
])('nothing in %s acts, loads or covers', async (text) => {
  const acts =
    /<(script|img|iframe|form|input|button|svg|math|style)|\son\w+=|javascript:|data:|style=|id=|name=|class=|background=/i;
  expect(await elementsOf(await rendered(text))).not.toMatch(acts);
});

test('what a model writes asks no other site: it could carry away what was said', async () => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const there = 'https://evil.example/';
  const loads = [
    `<table background="${there}1"><tr background="${there}2"><td background="${there}3">x</td></tr></table>`,
    `<body background="${there}4"><p style="background:url(${there}5)">x</p></body>`,
    `<video poster="${there}6" src="${there}7"></video><audio src="${there}8" autoplay></audio>`,
    `<img srcset="${there}9 1x"><picture><source srcset="${there}10"><img src=x></picture>`,
    `<link rel=stylesheet href="${there}11"><object data="${there}12"></object><embed src="${there}13">`,
    `<input type=image src="${there}14"><svg><image href="${there}15"/></svg><iframe src="${there}16"></iframe>`,
    `![x](${there}17) ![x][r]\n\n[r]: ${there}18`,
    `<track src="${there}19"><bgsound src="${there}20"><marquee background="${there}21">x</marquee>`,
  ];
  for (const text of loads) {
    const html = await rendered(text);
    await page.evaluate(`document.body.innerHTML = ${JSON.stringify(html)}`);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  }
  expect(asked).toEqual([]);
});

test('emphasis, tables and lists are shown, and links send no referrer', async () => {
  expect(await rendered('**a** and `b`')).toBe('<p><strong>a</strong> and <code>b</code></p>\n');
  expect(await rendered('|a|\n|-|\n|1|')).toContain('<td>1</td>');
  expect(await rendered('[x](https://example.com)')).toContain(
    '<a href="https://example.com" target="_blank" rel="noopener noreferrer nofollow">x</a>',
  );
});

test('nothing of what a model says is lost: what is no element of a text, no picture and no form is words', async () => {
  const shown = async (text: string): Promise<string> => {
    const html = await rendered(text);
    return z
      .string()
      .parse(await page.evaluate((one) => Object.assign(document.body, { innerHTML: one }).innerText, html));
  };
  for (const text of [
    'Put a <script> tag at the end, a <!-- comment --> and <STYLE> too.',
    'Use List<String>, a Map<K, V> and <T>.',
    '<think>so</think> yes',
  ])
    expect(await shown(text)).toBe(text);
  expect(await shown('a<br>b<sub>2</sub>')).toBe('a\nb2');
  expect(await shown('- [x] done\n- [ ] open')).toBe('☑ done\n☐ open');
  expect(await rendered('![a "cat"](https://example.com/cat.png)')).toMatch(
    /<a href="https:\/\/example.com\/cat.png" [^>]*>a "cat"<\/a>/,
  );
});
