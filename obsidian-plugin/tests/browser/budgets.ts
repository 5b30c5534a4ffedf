/** The plugin's budgets in a real browser, as a table: `node` runs this bundled. Ends with 1 where one is missed. */
import { statSync } from "node:fs";
import process from "node:process";
import type { Page } from "playwright-core";
import { Desk } from "./desk";
import { run, search } from "./hands";
import { NOTES } from "./notes";

const SEARCHES = Number(process.env["SEARCHES"] ?? 10_000);
const EARLY = SEARCHES / 10;
const GROWTH = 1.2;

interface Budget {
  readonly name: string;
  readonly limit: string;
  readonly measured: string;
  readonly kept: boolean;
}

/** The median of five starts where nobody answers. */
async function onload(desk: Desk): Promise<Budget> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const page = await desk.sit({ ready: false, data: { homeFolder: "/nowhere" } });
    times.push(await page.evaluate(() => (window as unknown as { onloadMs: number }).onloadMs));
    await page.context().close();
  }
  const median = times.sort((one, other) => one - other)[2] ?? Number.POSITIVE_INFINITY;
  return { name: "onload without a daemon", limit: "< 50 ms", measured: `${median.toFixed(1)} ms`, kept: median < 50 };
}

/** One answer becomes a thousand passages of as many notes. */
function thousand(path: string, body: Record<string, unknown>): Record<string, unknown> {
  const results = body["results"];
  if (path !== "/v1/search" || !Array.isArray(results) || results.length === 0) {
    return body;
  }
  const made = Array.from({ length: 1_000 }, (_, number) => ({ ...(results[number % results.length] as object), path: `Notes/${String(number)}.md`, address: `Notes/${String(number)}.md#1` }));
  return { ...body, results: made };
}

async function scroll(desk: Desk): Promise<Budget> {
  desk.twist = thousand;
  const page = await desk.sit();
  await search(page, "harbour");
  await page.locator(".hv-live", { hasText: /^1000 results$/ }).waitFor();
  const longest = await page.evaluate(async () => {
    const list = document.querySelector(".hv-list");
    let scroller: Element | null = list;
    while (scroller !== null && !(scroller.scrollHeight > scroller.clientHeight + 100 && getComputedStyle(scroller).overflowY !== "visible")) {
      scroller = scroller.parentElement;
    }
    if (scroller === null) {
      throw new Error("nothing scrolls");
    }
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // The rows' first painting is not scrolling.
    await frame();
    await frame();
    let most = 0;
    const watcher = new PerformanceObserver((seen) => seen.getEntries().forEach(({ duration }) => (most = Math.max(most, duration))));
    watcher.observe({ type: "longtask" });
    for (let place = 0; place < scroller.scrollHeight; place += 300) {
      scroller.scrollTop = place;
      await frame();
    }
    await frame();
    watcher.disconnect();
    return most;
  });
  desk.twist = null;
  await page.context().close();
  return { name: "longest task while 1,000 results scroll", limit: "< 50 ms", measured: longest === 0 ? "none of 50 ms" : `${longest.toFixed(0)} ms`, kept: longest === 0 };
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

/** Searches by switching between two modes, whose answers are kept in the page and differ; each is awaited and drawn. */
async function searches(page: Page, count: number): Promise<void> {
  await page.evaluate(async (times) => {
    const [, words, meaning] = [...document.querySelectorAll<HTMLElement>(".hv-modes button")];
    const counter = window as unknown as { answered: number };
    for (let number = 0; number < times; number += 1) {
      const before = counter.answered;
      (number % 2 === 0 ? meaning : words)?.click();
      while (counter.answered === before) {
        await new Promise((resolve) => setTimeout(resolve));
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
  }, count);
}

async function memory(desk: Desk): Promise<Budget> {
  const page = await desk.sit({ data: { mode: "lexical" } });
  await search(page, "harbour");
  await page.evaluate(async () => {
    const bridge = window as unknown as { answered: number; holovaultRequest(asked: { url: string; body?: string }): Promise<{ status: number; text: string }> };
    const send = bridge.holovaultRequest.bind(bridge);
    const kept = new Map<string, { status: number; text: string }>();
    bridge.answered = 0;
    bridge.holovaultRequest = async (asked) => {
      if (!asked.url.endsWith("/v1/search")) {
        return await send(asked);
      }
      const key = (JSON.parse(asked.body ?? "{}") as { mode: string }).mode;
      if (!kept.has(key)) {
        const answer = await send({ ...asked, body: JSON.stringify({ ...JSON.parse(asked.body ?? "{}"), mode: "lexical" }) });
        const body = JSON.parse(answer.text) as { results: unknown[] };
        kept.set(key, { ...answer, text: JSON.stringify({ ...body, results: key === "lexical" ? body.results : body.results.slice(1).reverse() }) });
      }
      bridge.answered += 1;
      return kept.get(key) ?? { status: 500, text: "" };
    };
    return Promise.resolve();
  });
  await searches(page, EARLY);
  const early = await heap(page);
  await searches(page, SEARCHES - EARLY);
  const late = await heap(page);
  await page.context().close();
  const mb = (bytes: number) => (bytes / 1_048_576).toFixed(1);
  const name = `heap after ${EARLY.toLocaleString("en")} and ${SEARCHES.toLocaleString("en")} searches`;
  return { name, limit: `grows < ${String(Math.round((GROWTH - 1) * 100))}%`, measured: `${mb(early)} and ${mb(late)} MB`, kept: late < early * GROWTH };
}

async function silence(desk: Desk): Promise<Budget> {
  desk.requests.length = 0;
  const page = await desk.sit({ ready: false });
  await run(page, "status");
  await page.context().close();
  return { name: "requests before the layout is ready", limit: "0", measured: String(desk.requests.length), kept: desk.requests.length === 0 };
}

function size(): Budget {
  const bytes = statSync("main.js").size;
  return { name: "main.js", limit: "< 150 kB", measured: `${(bytes / 1_000).toFixed(0)} kB`, kept: bytes < 150_000 };
}

const desk = await Desk.open(NOTES);
try {
  const budgets = [size(), await silence(desk), await onload(desk), await scroll(desk), await memory(desk)];
  const lines = budgets.map(({ name, limit, measured, kept }) => `| ${name} | ${limit} | ${measured} | ${kept ? "kept" : "MISSED"} |`);
  process.stdout.write(["| what | budget | measured | |", "|---|---|---|---|", ...lines, ""].join("\n"));
  process.exitCode = budgets.every(({ kept }) => kept) ? 0 : 1;
} finally {
  await desk.close();
}
