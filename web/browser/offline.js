"use strict";
/*
 * Everything is kept by the browser, once Python is here: the next visit needs no connection.
 */

if ("serviceWorker" in navigator) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("service_worker.js").catch(() => {
      // a browser that keeps nothing, as in a private window: the page works, only not offline
    });
  });
}
