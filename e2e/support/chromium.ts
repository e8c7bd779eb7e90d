import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { installPackages } from './debian-package.ts';

/** The headless build comes first: it shows the same pages with a fifth less processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** An installed Chrome or Chromium; `CHROMIUM_PATH` names one in an unusual place. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM_PATH'] ?? '', ...places].find((place) => place !== '' && existsSync(place));

/**
 * Installs Debian's Chromium with a Chinese font, if there is no browser yet and this process may install one.
 * @returns undefined if there is a browser, else the reason why not
 */
export const installChromium = (): string | undefined => {
  if (findChromium() !== undefined) return undefined;
  const typeface = 'fonts-noto-cjk';
  const problem = installPackages(['chromium-headless-shell', typeface], ['chromium', typeface]);
  if (problem !== undefined) return `no Chrome or Chromium is installed: ${problem}`;
  return findChromium() === undefined ? 'apt-get installed no browser' : undefined;
};

let shared: Promise<Browser> | undefined;

/** One browser for all test files of a run, each with its own contexts. It ends with this process. */
export const sharedBrowser = async (): Promise<Browser> => {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  shared = launchBrowser();
  return shared;
};

/** What is waited for on a page may take this long on a busy machine. */
const PATIENCE_MS = 60_000;

/** A headless browser that resolves no names outside this machine. */
export const launchBrowser = async (): Promise<Browser> => {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error('no Chrome or Chromium found; "npm test" says how it looks for one');
  const browser = await chromium.launch({
    executablePath,
    // Where no language is set, it saves files of Chinese names as `download`.
    env: { LANG: 'C.UTF-8', ...process.env },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Tabs of one window share what the first of them has loaded: see `windows.ts`.
      '--process-per-site',
      // Pages are too short-lived for optimised code to pay off; optimising took a tenth of the processor time.
      '--js-flags=--no-opt,--no-maglev',
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
};
