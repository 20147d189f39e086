// Times in the zone of the reader; no update while the focus is in what it would replace.
"use strict";

function localTimes(root) {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) {
      time.title = time.dateTime;
      time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
    }
  }
}

// A screen reader announces only what changes in an element that was there before.
function announce(text, isLost) {
  const said = document.getElementById("said");
  said.classList.toggle("lost", isLost);
  if (said.textContent !== text) {
    said.textContent = text;
  }
}

function announceReply() {
  const reply = document.querySelector(".reply");
  announce(reply ? reply.textContent.trim() : "", false);
}

localTimes(document);
document.body.addEventListener("htmx:afterSettle", () => {
  localTimes(document);
  announceReply();
});
document.body.addEventListener("htmx:sendError", () => {
  announce("The connection is lost. Reload the page to sign in again or to retry.", true);
});
// What has no content is a sentence of this server, or the page of a proxy whose session has ended.
document.body.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, serverResponse } = event.detail;
  if (xhr.status === 204) { // what is shown is the newest
    announceReply();
  } else if (!serverResponse.includes('id="content"')) {
    event.detail.shouldSwap = false;
    const isText = (xhr.getResponseHeader("Content-Type") || "").startsWith("text/plain");
    announce(isText ? serverResponse.trim() : "Not updated. Reload the page to sign in again.", true);
  }
});
document.body.addEventListener("htmx:beforeRequest", (event) => {
  const isUpdate = event.detail.elt.id === "content";
  if (isUpdate && document.activeElement && document.activeElement.closest("#content")) {
    event.preventDefault();
  }
});
