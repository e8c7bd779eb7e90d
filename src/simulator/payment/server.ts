import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { cashierPage } from './cashier-page.ts';
import { type NoticeFault, noticeOf, sign } from './notice.ts';

type Fields = Readonly<Record<string, string>>;

interface Wish {
  readonly tradeNo: string;
  readonly fault: NoticeFault;
  readonly times: number;
}

const HTML = { 'Content-Type': 'text/html; charset=utf-8' };

/** Tells the merchant, and reads what it says to it. */
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
    const told = notice(order, {});
    await tell(order['notify_url'] ?? '', told, 'GET');
    const back = order['return_url'] ?? '';
    const mark = back.includes('?') ? '&' : '?';
    response.writeHead(302, { Location: `${back}${mark}${new URLSearchParams(told).toString()}` }).end();
  };

  const control = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { tradeNo, fault, times } = JSON.parse(await text(request)) as Wish;
    const order = orders.get(tradeNo);
    if (order === undefined) return void response.writeHead(404).end('no such order');
    const told = notice(order, fault);
    const answers = await Promise.all(
      Array.from({ length: times }, () => tell(order['notify_url'] ?? '', told, fault.method ?? 'GET')),
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
