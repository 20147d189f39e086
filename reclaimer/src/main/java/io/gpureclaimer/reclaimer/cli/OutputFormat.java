package io.gpureclaimer.reclaimer.cli;

/** How a command prints what it found, as users write it. */
enum OutputFormat {
  text,
  json
}
