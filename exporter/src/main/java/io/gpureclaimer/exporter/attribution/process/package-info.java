/** Which pod and container a process belongs to, as the kernel tells it. */
@NullMarked
package io.gpureclaimer.exporter.attribution.process;

import org.jspecify.annotations.NullMarked;
