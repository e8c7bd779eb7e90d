import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type NoticeFault, noticeOf, sign } from './notice.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** The payer's page: the amount, and a button that pays it. Nothing is charged. */
const cashierPage = (order: Readonly<Record<string, string>>): string => `<!doctype html>
<html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Simulated cashier · 模拟收银台</title>
<body style="font:16px/1.6 system-ui;margin:0;background:#f3f4f6;color:#14161b">
<main style="max-width:380px;margin:12vh auto;background:#fff;border:1px solid #e4e6eb;border-radius:16px;padding:28px;text-align:center">
<h1 style="font-size:18px;margin:0 0 4px">模拟收银台</h1>
<p style="margin:0;color:#666d7a">Simulated cashier, no money moves</p>
<p style="font:600 36px/1.4 system-ui;margin:20px 0 0">¥${escape(order['money'] ?? '')}</p>
<p style="margin:0 0 20px;color:#666d7a">${escape(order['name'] ?? '')} · ${escape(order['type'] ?? '')}</p>
<form method="post" action="/pay"><input type="hidden" name="out_trade_no" value="${escape(order['out_trade_no'] ?? '')}">
<button style="font:inherit;width:100%;padding:12px;border:0;border-radius:10px;background:#1677ff;color:#fff">支付 · Pay</button>
</form></main></body></html>`;

type Fields = Readonly<Record<string, string>>;

interface Wish {
  readonly tradeNo: string;
  readonly fault: NoticeFault;
  readonly times: number;
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** Notifies the merchant and reads its answer. */
const tell = async (url: string, fields: Fields, method: 'GET' | 'POST'): Promise<string> => {
  const query = new URLSearchParams(fields);
  const response = await (method === 'GET'
    ? fetch(`${url}?${query.toString()}`)
    : fetch(url, { method: 'POST', body: query }));
  return response.text();
};

/** A payment gateway as a server that does not listen yet: a cashier, and notices that a test can bend. */
export const createPaymentSimulator = (merchant: {
  readonly merchantId: string;
  readonly key: string;
}): Server => {
  const orders = new Map<string, Fields>();
  const notice = (order: Fields, fault: NoticeFault): Fields => {
    const number = [...orders.keys()].indexOf(order['out_trade_no'] ?? '') + 1;
    return noticeOf(order, `20260000${number}`, merchant.key, fault);
  };

  const submit = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const order = Object.fromEntries(new URLSearchParams(await text(request)));
    if (order['pid'] !== merchant.merchantId || order['sign'] !== sign(order, merchant.key)) {
      response.writeHead(400, HTML).end('签名错误 · wrong signature');
      return;
    }
    orders.set(order['out_trade_no'] ?? '', order);
    response.writeHead(200, HTML).end(cashierPage(order));
  };

  const pay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const order = orders.get(new URLSearchParams(await text(request)).get('out_trade_no') ?? '');
    if (order === undefined) return void response.writeHead(404).end();
    const fields = notice(order, {});
    await tell(order['notify_url'] ?? '', fields, 'GET');
    const back = order['return_url'] ?? '';
    const mark = back.includes('?') ? '&' : '?';
    response.writeHead(302, { Location: `${back}${mark}${new URLSearchParams(fields).toString()}` }).end();
  };

  const control = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { tradeNo, fault, times } = JSON.parse(await text(request)) as Wish;
    const order = orders.get(tradeNo);
    if (order === undefined) return void response.writeHead(404).end('no such order');
    const fields = notice(order, fault);
    const answers = await Promise.all(
      Array.from({ length: times }, () => tell(order['notify_url'] ?? '', fields, fault.method ?? 'GET')),
    );
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answers));
  };

  const routes: Readonly<Record<string, typeof submit>> = {
    'POST /submit.php': submit,
    'POST /pay': pay,
    'POST /__payments/tell': control,
  };
  return createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://payments').pathname;
    const serve = routes[`${request.method ?? ''} ${path}`];
    if (serve === undefined) response.writeHead(404).end();
    else serve(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
};
