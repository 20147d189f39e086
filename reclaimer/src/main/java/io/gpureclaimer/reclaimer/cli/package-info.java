/** The commands: what people type, and what they read. */
@NullMarked
package io.gpureclaimer.reclaimer.cli;

import org.jspecify.annotations.NullMarked;
