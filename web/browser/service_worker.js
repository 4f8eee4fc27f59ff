"use strict";
/*
 * Keeps the whole site in the browser, as one version of it: nothing new is mixed with anything old.  A new
 * version is loaded beside the old one, and takes its place when no page shows the old one any more.
 */

const VERSION = "the version";
const FILES = ["the files"];
const STORE = `minigrad ${VERSION}`;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(STORE).then((store) => {
    return store.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
  }));
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(removed().then(() => worker.clients.claim()));
});

/** Remove what other versions have kept. */
async function removed() {
  const others = (await caches.keys()).filter((name) => name.startsWith("minigrad ") && name !== STORE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && new URL(url).origin === location.origin) event.respondWith(answered(event.request));
});

/** @param {Request} request @returns {Promise<Response>} */
async function answered(request) {
  const store = await caches.open(STORE);
  const address = new URL(request.url);
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  return (await store.match(address.href, { ignoreSearch: true })) ?? fetch(request);
}
