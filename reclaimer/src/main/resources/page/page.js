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

localTimes(document);
document.body.addEventListener("htmx:afterSettle", () => localTimes(document));
document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (document.activeElement && document.activeElement.closest("#content")) {
    event.preventDefault();
  }
});
