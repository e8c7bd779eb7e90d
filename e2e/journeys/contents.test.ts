import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sharedBrowser } from '../support/chromium.ts';

/** Custom content of the operator is shown to everybody: 500 attacks in a real browser, none of which may work. */

const entry = resolve(import.meta.dirname, '../../src/console/kit/clean-content.ts');

let page: Page;
const asked: string[] = [];

const bundled = async (): Promise<string> => {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'contents' } },
  });
  const output = z
    .array(z.object({ output: z.array(z.object({ code: z.string() })) }))
    .parse([result].flat());
  return output[0]?.output[0]?.code ?? '';
};

beforeAll(async () => {
  const browser = await sharedBrowser();
  const context = await browser.newContext();
  await context.route('**/*', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><main id="here"></main>' });
  });
  page = await context.newPage();
  await page.goto('https://gate.example/');
  await page.addScriptTag({ content: await bundled() });
  await page.evaluate(`
    window.acted = [];
    window.act = (what) => { window.acted.push(String(what)); };
    window.alert = window.act; window.confirm = window.act; window.prompt = window.act; window.open = window.act;
    localStorage.user = 'secret'; document.cookie = 'session=secret';`);
});

afterAll(() => page.context().close());

const act = 'act(document.cookie+localStorage.user)';
const vectors: readonly string[] = [
  `<script>${act}</script>`,
  `<ScRiPt >${act}</sCrIpT>`,
  `<img src=x onerror="${act}">`,
  `<img/src=x/onerror=${act}>`,
  `<svg onload="${act}"></svg>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><animate onbegin="${act}" attributeName=x dur=1s></svg>`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${act}"></style></mglyph></table></mtext></math>`,
  `<iframe src="javascript:${act}"></iframe>`,
  `<iframe srcdoc="<script>parent.${act}</script>"></iframe>`,
  `<object data="javascript:${act}"></object>`,
  `<embed src="javascript:${act}">`,
  `<a href="javascript:${act}" autofocus onfocus="${act}">x</a>`,
  `<a href="java&#10;script:${act}">x</a>`,
  `<a href="  javascript:${act}">x</a>`,
  `<a href="data:text/html,<script>${act}</script>">x</a>`,
  `<details open ontoggle="${act}"><summary>x</summary></details>`,
  `<body onload="${act}">`,
  `<input autofocus onfocus="${act}">`,
  `<video><source onerror="${act}"></video>`,
  `<audio src=x onerror="${act}"></audio>`,
  `<marquee onstart="${act}">x</marquee>`,
  `<form action="javascript:${act}"><button>x</button></form>`,
  `<style>@import 'javascript:${act}';</style>`,
  `<link rel=stylesheet href="javascript:${act}">`,
  `<meta http-equiv=refresh content="0;url=javascript:${act}">`,
  `<base href="javascript:${act}//">`,
  `<div style="background:url(javascript:${act})">x</div>`,
  `<p onclick="${act}" onmouseover="${act}" onpointerenter="${act}">x</p>`,
  `<template><img src=x onerror="${act}"></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${act}>"></noscript>`,
  `<textarea><img title="</textarea><img src=x onerror=${act}>"></textarea>`,
  `[x](javascript:${act})`,
  `![x](x" onerror="${act})`,
  `<isindex type=image src=1 onerror="${act}">`,
];
const wrappers: readonly ((attack: string) => string)[] = [
  (attack) => attack,
  (attack) => `<div>${attack}</div>`,
  (attack) => `# title\n\n${attack}\n\ntext`,
  (attack) => `<table><tr><td>${attack}</td></tr></table>`,
  (attack) => `> ${attack}`,
  (attack) => `- ${attack}`,
  (attack) => `<svg><foreignObject>${attack}</foreignObject></svg>`,
  (attack) => `<math><mi>${attack}</mi></math>`,
  (attack) => `<select><option>${attack}</option></select>`,
  (attack) => `<b>${attack}`,
  (attack) => `--><!-- ${attack} -->${attack}`,
  (attack) => `<title>${attack}</title>${attack}`,
  (attack) => `<p title='${attack}'>${attack}</p>`,
  (attack) => attack.toUpperCase().replaceAll('ACT(DOCUMENT.COOKIE+LOCALSTORAGE.USER)', act),
  (attack) => attack.replaceAll('<', '<\u0000'),
];

/** Elements and attributes that must be gone. */
const FORBIDDEN =
  'script,iframe,object,embed,form,input,button,style,link,meta,base,svg,math,template,[id],[onclick]';

test('500 attacks in markdown and HTML: none runs, reads cookies or storage, or requests another site', async () => {
  const attacks = vectors.flatMap((vector) => wrappers.map((wrap) => wrap(vector)));
  expect(attacks.length).toBeGreaterThanOrEqual(500);
  asked.length = 0;
  for (const clean of ['cleanContent', 'cleanHtml']) {
    await page.evaluate(
      `(async (attacks) => {
        const here = document.getElementById('here');
        for (const attack of attacks) {
          here.innerHTML = contents.${clean}(attack);
          for (const node of here.querySelectorAll('*')) {
            for (const name of ['click', 'mouseover', 'pointerenter', 'focus', 'toggle'])
              node.dispatchEvent(new Event(name, { bubbles: true, cancelable: true }));
            if (node.tagName === 'A' && /^(javascript|data):/i.test(node.href)) window.act('link ' + node.href);
          }
          const bad = here.querySelector(${JSON.stringify(FORBIDDEN)});
          if (bad) window.act('element ' + bad.outerHTML);
        }
        // Handlers of failed images and frames have run once this image has failed and been drawn.
        await new Promise((resolve) => {
          const last = new Image();
          last.addEventListener('error', resolve);
          last.src = 'last-' + Math.random() + '.png';
        });
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      })(${JSON.stringify(attacks)})`,
    );
  }
  expect(await page.evaluate('window.acted')).toEqual([]);
  expect(await page.evaluate('location.href')).toBe('https://gate.example/');
  expect(asked.filter((url) => !url.startsWith('https://gate.example/'))).toEqual([]);
});

const harmless = [
  '**a**',
  '|a|\n|-|\n|1|',
  '![p](https://gate.example/p.png) [l](https://example.com) <font color="red">c</font>',
].join('\n\n');

test('text, emphasis, tables, pictures and links are kept', async () => {
  const shown = z.string().parse(await page.evaluate(`contents.cleanContent(${JSON.stringify(harmless)})`));
  for (const part of [
    '<strong>a</strong>',
    '<td>1</td>',
    '<img src="https://gate.example/p.png"',
    'href="https://example.com"',
    'color="red"',
  ])
    expect(shown).toContain(part);
});

test('an embedded page has its own origin: no access to cookies, storage or the page around it', async () => {
  await page.evaluate(`document.getElementById('here').innerHTML =
    '<iframe sandbox="allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox" src="https://gate.example/framed"></iframe>'`);
  await expect.poll(() => page.frames().length).toBe(2);
  const frame = page.frames()[1];
  await frame?.waitForLoadState();
  const reach = (what: string): Promise<unknown> =>
    frame?.evaluate(
      `(async () => { try { return String(await (${what})); } catch (error) { return error.name; } })()`,
    ) ?? Promise.resolve('no frame');
  expect(await reach('origin')).toBe('null');
  expect(await reach('localStorage.user')).toBe('SecurityError');
  expect(await reach('document.cookie')).toBe('SecurityError');
  expect(await reach('parent.document.title')).toBe('SecurityError');
});
